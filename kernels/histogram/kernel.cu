#include <cuda_runtime.h>
#include <device_launch_parameters.h>
#include <cassert>

#define NUM_BINS 256

// Each block counts in shared memory and adds its counts to the global ones once, at the end.
extern "C" __global__ void histogram256(const unsigned char *data, unsigned int *bins, unsigned long long n)
{
    __shared__ unsigned int local[NUM_BINS];

    for (unsigned int i = threadIdx.x; i < NUM_BINS; i += blockDim.x)
        local[i] = 0u;
    __syncthreads();

    const unsigned long long stride = (unsigned long long)gridDim.x * blockDim.x;
    for (unsigned long long i = (unsigned long long)blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride)
        atomicAdd(&local[data[i]], 1u);
    __syncthreads();

    for (unsigned int i = threadIdx.x; i < NUM_BINS; i += blockDim.x)
        if (local[i] != 0u)
            atomicAdd(bins + i, local[i]);
}

// Counts n bytes of host memory into bins[NUM_BINS]; 0 if all went well.
extern "C" int histogram_run(const unsigned char *data, unsigned long long n, unsigned int *bins)
{
    unsigned char *d_data = 0;
    unsigned int *d_bins = 0;
    int device = 0, processors = 0;

    assert(data != 0 && bins != 0);
    if (cudaGetDevice(&device) != cudaSuccess) return 1;

    cudaDeviceProp prop;
    if (cudaGetDeviceProperties(&prop, device) != cudaSuccess) return 1;
    processors = prop.multiProcessorCount;

    if (cudaMalloc((void **)&d_data, n ? n : 1) != cudaSuccess) return 2;
    if (cudaMalloc((void **)&d_bins, NUM_BINS * sizeof(unsigned int)) != cudaSuccess) {
        cudaFree(d_data);
        return 2;
    }

    int failed = 0;
    failed |= cudaMemset(d_bins, 0, NUM_BINS * sizeof(unsigned int)) != cudaSuccess;
    failed |= cudaMemcpy(d_data, data, n, cudaMemcpyHostToDevice) != cudaSuccess;
    if (!failed) {
        histogram256 <<< 4 * processors, 256 >>> (d_data, d_bins, n);
        failed |= cudaGetLastError() != cudaSuccess;
        failed |= cudaMemcpy(bins, d_bins, NUM_BINS * sizeof(unsigned int), cudaMemcpyDeviceToHost) != cudaSuccess;
    }

    cudaFree(d_bins);
    cudaFree(d_data);
    return failed ? 3 : 0;
}
