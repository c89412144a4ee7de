// A convolution by way of the Fourier transform with cuFFT.
#include <cmath>
#include <cstdio>
#include <vector>
#include <cufft.h>
#include <cuda_runtime.h>

#define CUFFT_CHECK(x)                                            \
    if (cufftResult r_ = (x); r_ != CUFFT_SUCCESS) {              \
        std::fprintf(stderr, "cuFFT error %d at %d\n", r_, __LINE__); \
        return 1;                                                 \
    }

__global__ void multiply(cufftComplex *a, const cufftComplex *b, int n, float scale) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        cufftComplex x = a[i], y = b[i];
        a[i].x = (x.x * y.x - x.y * y.y) * scale;
        a[i].y = (x.x * y.y + x.y * y.x) * scale;
    }
}

int main() {
    const int n = 1024, batch = 4, bins = n / 2 + 1;
    std::vector<cufftReal> signal(n * batch);
    for (int i = 0; i < n * batch; ++i) signal[i] = std::sin(0.01f * i);
    cufftReal *d_signal;
    cufftComplex *d_freq, *d_filter;
    cudaMalloc((void **)&d_signal, signal.size() * sizeof(cufftReal));
    cudaMalloc((void **)&d_freq, sizeof(cufftComplex) * bins * batch);
    cudaMalloc((void **)&d_filter, sizeof(cufftComplex) * bins * batch);
    cudaMemcpy(d_signal, signal.data(), signal.size() * sizeof(cufftReal), cudaMemcpyHostToDevice);

    cufftHandle forward, backward, plan2d;
    int dims[1] = {n};
    size_t work = 0;
    CUFFT_CHECK(cufftPlan1d(&forward, n, CUFFT_R2C, batch));
    CUFFT_CHECK(cufftPlanMany(&backward, 1, dims, NULL, 1, bins, NULL, 1, n, CUFFT_C2R, batch));
    CUFFT_CHECK(cufftCreate(&plan2d));
    CUFFT_CHECK(cufftSetAutoAllocation(plan2d, 1));
    CUFFT_CHECK(cufftMakePlan2d(plan2d, 32, 32, CUFFT_C2C, &work));
    cudaStream_t stream;
    cudaStreamCreate(&stream);
    CUFFT_CHECK(cufftSetStream(forward, stream));
    CUFFT_CHECK(cufftSetStream(backward, stream));

    CUFFT_CHECK(cufftExecR2C(forward, d_signal, d_freq));
    cudaMemcpyAsync(d_filter, d_freq, sizeof(cufftComplex) * bins * batch, cudaMemcpyDeviceToDevice, stream);
    multiply<<<(bins * batch + 255) / 256, 256, 0, stream>>>(d_freq, d_filter, bins * batch, 1.0f / n);
    CUFFT_CHECK(cufftExecC2R(backward, d_freq, d_signal));
    CUFFT_CHECK(cufftExecC2C(plan2d, d_freq, d_freq, CUFFT_FORWARD));
    CUFFT_CHECK(cufftExecC2C(plan2d, d_freq, d_freq, CUFFT_INVERSE));
    cudaStreamSynchronize(stream);
    int version = 0;
    CUFFT_CHECK(cufftGetVersion(&version));
    std::printf("cuFFT %d, work area %zu bytes\n", version, work);

    cufftDestroy(forward);
    cufftDestroy(backward);
    cufftDestroy(plan2d);
    cudaFree(d_signal);
    cudaFree(d_freq);
    cudaFree(d_filter);
    return 0;
}
