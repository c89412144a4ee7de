#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#include <cudnn.h>

#define CUDNN_CALL(f)                                                                            \
    {                                                                                            \
        cudnnStatus_t err = (f);                                                                 \
        if (err != CUDNN_STATUS_SUCCESS) {                                                       \
            std::fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudnnGetErrorString(err));   \
            std::exit(1);                                                                        \
        }                                                                                        \
    }

__global__ void fill(float *px, float k) {
    px[blockIdx.x * blockDim.x + threadIdx.x] = k;
}

int main() {
    cudnnHandle_t cudnn;
    CUDNN_CALL(cudnnCreate(&cudnn));
    const int n = 1, c = 1, h = 5, w = 5, k = 1, s = 3;
    cudnnTensorDescriptor_t in_desc, out_desc;
    CUDNN_CALL(cudnnCreateTensorDescriptor(&in_desc));
    CUDNN_CALL(cudnnSetTensor4dDescriptor(in_desc, CUDNN_TENSOR_NCHW, CUDNN_DATA_FLOAT, n, c, h, w));
    cudnnFilterDescriptor_t filter_desc;
    CUDNN_CALL(cudnnCreateFilterDescriptor(&filter_desc));
    CUDNN_CALL(cudnnSetFilter4dDescriptor(filter_desc, CUDNN_DATA_FLOAT, CUDNN_TENSOR_NCHW, k, c, s, s));
    cudnnConvolutionDescriptor_t conv_desc;
    CUDNN_CALL(cudnnCreateConvolutionDescriptor(&conv_desc));
    CUDNN_CALL(cudnnSetConvolution2dDescriptor(conv_desc, 1, 1, 1, 1, 1, 1, CUDNN_CROSS_CORRELATION, CUDNN_DATA_FLOAT));
    int out_n, out_c, out_h, out_w;
    CUDNN_CALL(cudnnGetConvolution2dForwardOutputDim(conv_desc, in_desc, filter_desc, &out_n, &out_c, &out_h, &out_w));
    CUDNN_CALL(cudnnCreateTensorDescriptor(&out_desc));
    CUDNN_CALL(cudnnSetTensor4dDescriptor(out_desc, CUDNN_TENSOR_NCHW, CUDNN_DATA_FLOAT, out_n, out_c, out_h, out_w));

    float *in_data, *filter_data, *out_data;
    cudaMalloc(&in_data, n * c * h * w * sizeof(float));
    cudaMalloc(&filter_data, k * c * s * s * sizeof(float));
    cudaMalloc(&out_data, out_n * out_c * out_h * out_w * sizeof(float));
    cudnnConvolutionFwdAlgo_t algo = CUDNN_CONVOLUTION_FWD_ALGO_IMPLICIT_GEMM;
    size_t ws_size;
    CUDNN_CALL(cudnnGetConvolutionForwardWorkspaceSize(cudnn, in_desc, filter_desc, conv_desc, out_desc, algo, &ws_size));
    float *ws_data;
    cudaMalloc(&ws_data, ws_size);
    fill<<<w * h, n * c>>>(in_data, 1.0f);
    fill<<<s * s, k * c>>>(filter_data, 2.0f);
    float alpha = 1.0f, beta = 0.0f;
    CUDNN_CALL(cudnnConvolutionForward(cudnn, &alpha, in_desc, in_data, filter_desc, filter_data, conv_desc, algo,
                                       ws_data, ws_size, &beta, out_desc, out_data));
    cudaDeviceSynchronize();
    CUDNN_CALL(cudnnDestroyTensorDescriptor(out_desc));
    CUDNN_CALL(cudnnDestroyConvolutionDescriptor(conv_desc));
    CUDNN_CALL(cudnnDestroyFilterDescriptor(filter_desc));
    CUDNN_CALL(cudnnDestroyTensorDescriptor(in_desc));
    CUDNN_CALL(cudnnDestroy(cudnn));
    cudaFree(in_data);
    cudaFree(filter_data);
    cudaFree(out_data);
    cudaFree(ws_data);
    return 0;
}
