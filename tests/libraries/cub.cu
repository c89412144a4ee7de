// A sum, a sort and a scan over the device, and a reduction inside each block, with CUB.
#include <cstdio>
#include <cub/cub.cuh>
#include <cub/device/device_radix_sort.cuh>
#include <thrust/iterator/counting_iterator.h>

template <int THREADS>
__global__ void block_sums(const int *in, int *out) {
    using BlockReduce = cub::BlockReduce<int, THREADS>;
    using BlockLoad = cub::BlockLoad<int, THREADS, 4, cub::BLOCK_LOAD_VECTORIZE>;
    __shared__ union {
        typename BlockReduce::TempStorage reduce;
        typename BlockLoad::TempStorage load;
    } storage;
    int items[4];
    BlockLoad(storage.load).Load(in + blockIdx.x * THREADS * 4, items);
    __syncthreads();
    int sum = BlockReduce(storage.reduce).Sum(items);
    if (threadIdx.x == 0) out[blockIdx.x] = sum;
}

struct Largest {
    template <typename T>
    __device__ __forceinline__ T operator()(const T &a, const T &b) const { return b > a ? b : a; }
};

int main() {
    const int n = 1 << 20;
    int *in, *out, *sorted;
    cudaMalloc(&in, n * sizeof(int));
    cudaMalloc(&out, n * sizeof(int));
    cudaMalloc(&sorted, n * sizeof(int));
    cudaMemset(in, 1, n * sizeof(int));

    void *temporary = nullptr;
    size_t bytes = 0;
    cub::DeviceReduce::Sum(temporary, bytes, in, out, n);
    cudaMalloc(&temporary, bytes);
    cub::DeviceReduce::Sum(temporary, bytes, in, out, n);
    cudaFree(temporary);

    temporary = nullptr;
    cub::DoubleBuffer<int> keys(in, sorted);
    cub::DeviceRadixSort::SortKeys(temporary, bytes, keys, n);
    cudaMalloc(&temporary, bytes);
    cub::DeviceRadixSort::SortKeys(temporary, bytes, keys, n, 0, sizeof(int) * 8, cudaStream_t(0));
    cudaFree(temporary);

    temporary = nullptr;
    cudaError_t error = cub::DeviceScan::ExclusiveSum(temporary, bytes, keys.Current(), out, n);
    cudaMalloc(&temporary, bytes);
    error = cub::DeviceScan::ExclusiveSum(temporary, bytes, keys.Current(), out, n);
    cub::DeviceReduce::Reduce(temporary, bytes, in, out, n, Largest(), 0);
    thrust::counting_iterator<int> counting(0);
    cub::DeviceReduce::Max(temporary, bytes, counting, out, n);
    CubDebugExit(cudaPeekAtLastError());

    block_sums<128><<<n / 512, 128>>>(in, out);
    cudaDeviceSynchronize();
    int first = 0;
    cudaMemcpy(&first, out, sizeof(int), cudaMemcpyDeviceToHost);
    std::printf("%d %s\n", first, cudaGetErrorString(error));
    cudaFree(in);
    cudaFree(out);
    cudaFree(sorted);
    cudaFree(temporary);
    return 0;
}
