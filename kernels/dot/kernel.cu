#include <cuda_runtime.h>

#include <cmath>
#include <vector>

template <typename T, unsigned int BLOCK>
__global__ void dot_kernel(const T *x, const T *y, T *partial, int n) {
    __shared__ T cache[BLOCK];

    T sum = T(0);
    for (int i = blockIdx.x * BLOCK + threadIdx.x; i < n; i += BLOCK * gridDim.x)
        sum = fma(x[i], y[i], sum);
    cache[threadIdx.x] = sum;
    __syncthreads();

#pragma unroll
    for (unsigned int half = BLOCK / 2; half > 0; half /= 2) {
        if (threadIdx.x < half) cache[threadIdx.x] += cache[threadIdx.x + half];
        __syncthreads();
    }
    if (threadIdx.x == 0) partial[blockIdx.x] = cache[0];
}

// x and y are device pointers. The block size is a template argument, so the launch picks the instance.
template <typename T>
cudaError_t dot(const T *x, const T *y, int n, T *result, int threads = 256) {
    const int blocks = 64;
    T *d_partial;
    cudaError_t status = cudaMalloc(reinterpret_cast<void **>(&d_partial), blocks * sizeof(T));
    if (status != cudaSuccess) return status;

    switch (threads) {
    case 512: dot_kernel<T, 512><<<blocks, 512>>>(x, y, d_partial, n); break;
    case 256: dot_kernel<T, 256><<<blocks, 256>>>(x, y, d_partial, n); break;
    case 128: dot_kernel<T, (256 >> 1)><<<blocks, (256 >> 1)>>>(x, y, d_partial, n); break;
    default: cudaFree(d_partial); return cudaErrorInvalidValue;
    }

    std::vector<T> partial(blocks);
    status = cudaGetLastError();
    if (status == cudaSuccess)
        status = cudaMemcpy(partial.data(), d_partial, blocks * sizeof(T), cudaMemcpyDeviceToHost);
    cudaFree(d_partial);

    *result = T(0);
    for (const T &p : partial) *result += p;
    return status;
}

template cudaError_t dot<float>(const float *, const float *, int, float *, int);
template cudaError_t dot<double>(const double *, const double *, int, double *, int);

float norm2(const float *x, int n) {
    float squared = 0.0f;
    return dot<float>(x, x, n, &squared) == cudaSuccess ? std::sqrt(squared) : NAN;
}
