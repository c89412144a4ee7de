// A reduction by tiles, by blocks and over the whole grid, with cooperative groups.
#include <cstdio>
#include <cooperative_groups.h>
#include <cuda_runtime.h>

namespace cg = cooperative_groups;

template <unsigned int SIZE>
__device__ int tile_sum(cg::thread_block_tile<SIZE> tile, int value) {
    for (int offset = tile.size() / 2; offset > 0; offset /= 2) value += tile.shfl_down(value, offset);
    return value;
}

__global__ void sums(const int *in, int *out, int n) {
    cg::thread_block block = cg::this_thread_block();
    cg::thread_block_tile<32> tile = cg::tiled_partition<32>(block);
    int i = block.group_index().x * block.size() + block.thread_rank();
    int value = tile_sum(tile, i < n ? in[i] : 0);
    if (tile.thread_rank() == 0) atomicAdd(out, value);
    block.sync();
    cg::sync(block);
    if (tile.any(value < 0) || tile.all(value > 100)) atomicAdd(out + 1, tile.shfl(value, 0));
    unsigned long long bits = tile.ballot(value > 3);
    if (tile.thread_rank() == 0 && bits != 0) atomicAdd(out + 2, 1);
    cg::coalesced_group active = cg::coalesced_threads();
    if (active.thread_rank() == 0) atomicAdd(out + 3, (int)active.size());
}

__global__ void two_phases(int *data, int n) {
    cg::grid_group grid = cg::this_grid();
    for (unsigned long long i = grid.thread_rank(); i < (unsigned long long)n; i += grid.size()) data[i] += 1;
    grid.sync();
    if (grid.thread_rank() == 0) data[0] += data[n - 1];
}

int main() {
    int n = 1 << 16, blocks = 0, supported = 0;
    int *in, *out;
    cudaMalloc(&in, n * sizeof(int));
    cudaMalloc(&out, 4 * sizeof(int));
    cudaMemset(in, 0, n * sizeof(int));
    cudaMemset(out, 0, 4 * sizeof(int));
    sums<<<n / 256, 256>>>(in, out, n);

    cudaDeviceProp properties;
    cudaGetDeviceProperties(&properties, 0);
    cudaDeviceGetAttribute(&supported, cudaDevAttrCooperativeLaunch, 0);
    cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, two_phases, 256, 0);
    if (supported && properties.cooperativeLaunch) {
        void *arguments[] = {&in, &n};
        dim3 grid(blocks * properties.multiProcessorCount), block(256);
        cudaLaunchCooperativeKernel((void *)two_phases, grid, block, arguments, 0, nullptr);
    }
    cudaDeviceSynchronize();
    std::printf("%s\n", cudaGetErrorString(cudaGetLastError()));
    cudaFree(in);
    cudaFree(out);
    return 0;
}
