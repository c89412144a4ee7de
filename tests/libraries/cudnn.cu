// A 3x3 convolution over one image of four channels, with cuDNN.
#include <cstdio>
#include <cstdlib>
#include <vector>
#include <cuda_runtime.h>
#include <cudnn.h>

static void require(cudnnStatus_t status, const char *what) {
    if (status != CUDNN_STATUS_SUCCESS) {
        std::fprintf(stderr, "%s: %s\n", what, cudnnGetErrorString(status));
        std::exit(1);
    }
}

__global__ void ramp(float *to, int n) {
    for (int i = threadIdx.x; i < n; i += blockDim.x) to[i] = 0.25f * (i % 8);
}

int main() {
    const int channels = 4, height = 16, width = 12, filters = 2, edge = 3;
    cudnnHandle_t handle;
    cudnnTensorDescriptor_t image, result;
    cudnnFilterDescriptor_t weights;
    cudnnConvolutionDescriptor_t convolution;
    require(cudnnCreate(&handle), "create");
    require(cudnnCreateTensorDescriptor(&image), "image");
    require(cudnnCreateTensorDescriptor(&result), "result");
    require(cudnnCreateFilterDescriptor(&weights), "weights");
    require(cudnnCreateConvolutionDescriptor(&convolution), "convolution");
    require(cudnnSetTensor4dDescriptor(image, CUDNN_TENSOR_NCHW, CUDNN_DATA_FLOAT, 1, channels, height, width), "image's shape");
    require(cudnnSetFilter4dDescriptor(weights, CUDNN_DATA_FLOAT, CUDNN_TENSOR_NCHW, filters, channels, edge, edge),
            "weights' shape");
    require(cudnnSetConvolution2dDescriptor(convolution, 1, 1, 1, 1, 1, 1, CUDNN_CROSS_CORRELATION, CUDNN_DATA_FLOAT), "strides");
    int n, c, h, w;
    require(cudnnGetConvolution2dForwardOutputDim(convolution, image, weights, &n, &c, &h, &w), "output");
    require(cudnnSetTensor4dDescriptor(result, CUDNN_TENSOR_NCHW, CUDNN_DATA_FLOAT, n, c, h, w), "result's shape");

    const int pixels = channels * height * width, taps = filters * channels * edge * edge;
    float *d_image, *d_weights, *d_result;
    cudaMalloc(&d_image, pixels * sizeof(float));
    cudaMalloc(&d_weights, taps * sizeof(float));
    cudaMalloc(&d_result, n * c * h * w * sizeof(float));
    ramp<<<1, 128>>>(d_image, pixels);
    ramp<<<1, 128>>>(d_weights, taps);

    const cudnnConvolutionFwdAlgo_t algorithm = CUDNN_CONVOLUTION_FWD_ALGO_IMPLICIT_GEMM;
    size_t size = 0;
    void *workspace = nullptr;
    require(cudnnGetConvolutionForwardWorkspaceSize(handle, image, weights, convolution, result, algorithm, &size), "workspace");
    if (size > 0) cudaMalloc(&workspace, size);
    const float one = 1.0f, zero = 0.0f;
    require(cudnnConvolutionForward(handle, &one, image, d_image, weights, d_weights, convolution, algorithm, workspace, size,
                                    &zero, result, d_result), "forward");
    std::vector<float> host(n * c * h * w);
    cudaMemcpy(host.data(), d_result, host.size() * sizeof(float), cudaMemcpyDeviceToHost);
    std::printf("%g\n", host[w + 1]);

    require(cudnnDestroyConvolutionDescriptor(convolution), "destroy");
    require(cudnnDestroyFilterDescriptor(weights), "destroy");
    require(cudnnDestroyTensorDescriptor(result), "destroy");
    require(cudnnDestroyTensorDescriptor(image), "destroy");
    require(cudnnDestroy(handle), "destroy");
    cudaFree(workspace);
    cudaFree(d_result);
    cudaFree(d_weights);
    cudaFree(d_image);
    return 0;
}
