// Sum of an array in two passes: each block leaves one partial sum, a single block adds those up.
//
// The tree runs in shared memory down to one value, so nothing here depends on how many threads a warp
// has: 32 on NVIDIA, 64 or 32 on AMD.

#include <algorithm>

#include <cuda_runtime.h>

namespace {

constexpr int kBlock = 256;
constexpr int kMaxBlocks = 1024;

__device__ __forceinline__ float block_sum(float value, float *shared)
{
    const unsigned int tid = threadIdx.x;
    shared[tid] = value;
    __syncthreads();

    for (unsigned int s = blockDim.x / 2; s > 0; s >>= 1) {
        if (tid < s) {
            shared[tid] += shared[tid + s];
        }
        __syncthreads();
    }
    return shared[0];
}

}  // namespace

__global__ void __launch_bounds__(kBlock) reduce_sum(const float *__restrict__ in, float *__restrict__ out, size_t n)
{
    __shared__ float shared[kBlock];
    float sum = 0.f;

    // Grid-stride loop: any number of blocks covers any n.
    for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n; i += (size_t)blockDim.x * gridDim.x) {
        sum += in[i];
    }

    sum = block_sum(sum, shared);
    if (threadIdx.x == 0) {
        out[blockIdx.x] = sum;
    }
}

// d_in holds n values on the device; the result lands in *result on the host.
cudaError_t sum_device_array(const float *d_in, size_t n, float *result, cudaStream_t stream)
{
    const int blocks = (int)std::min<size_t>((n + kBlock - 1) / kBlock, kMaxBlocks);
    float *d_partial = nullptr;

    if (n == 0) {
        *result = 0.f;
        return cudaSuccess;
    }

    cudaError_t err = cudaMalloc(&d_partial, (blocks + 1) * sizeof(float));
    if (err != cudaSuccess) return err;

    reduce_sum<<<blocks, kBlock, 0, stream>>>(d_in, d_partial, n);
    reduce_sum<<<1, kBlock, 0, stream>>>(d_partial, d_partial + blocks, blocks);
    err = cudaPeekAtLastError();

    if (err == cudaSuccess)
        err = cudaMemcpyAsync(result, d_partial + blocks, sizeof(float), cudaMemcpyDeviceToHost, stream);
    if (err == cudaSuccess)
        err = cudaStreamSynchronize(stream);

    cudaError_t freed = cudaFree(d_partial);
    return err != cudaSuccess ? err : freed;
}
