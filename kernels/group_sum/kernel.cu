#include <cuda_runtime.h>
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

// Divides a vector by its sum, in one launch: tiles of 16 threads sum by shuffles, a block sums its tiles, the grid waits,
// and each block sums the blocks. All blocks have to be there at once: a cooperative launch.
template <int TILE>
__device__ double tile_sum(cg::thread_block_tile<TILE> tile, double value)
{
    for (int offset = tile.size() / 2; offset > 0; offset /= 2)
        value += tile.shfl_down(value, offset);
    return value;
}

__global__ void divide_by_sum(const float *in, float *out, double *partial, int n)
{
    __shared__ double tiles[64];
    cg::grid_group grid = cg::this_grid();
    cg::thread_block block = cg::this_thread_block();
    cg::thread_block_tile<16> tile = cg::tiled_partition<16>(block);

    const int stride = gridDim.x * blockDim.x;
    const int first = blockIdx.x * blockDim.x + threadIdx.x;
    double sum = 0.0;
    for (int i = first; i < n; i += stride) sum += in[i];

    sum = tile_sum<16>(tile, sum);
    if (tile.thread_rank() == 0) tiles[block.thread_rank() / 16] = sum;
    block.sync();
    if (block.thread_rank() == 0) {
        double total = 0.0;
        for (unsigned int i = 0; i < block.size() / 16; ++i) total += tiles[i];
        partial[blockIdx.x] = total;
    }

    grid.sync();
    double total = 0.0;
    for (unsigned int i = 0; i < gridDim.x; ++i) total += partial[i];
    for (int i = first; i < n; i += stride) out[i] = (float)(in[i] / total);
}

cudaError_t divide_by_sum_launch(const float *in, float *out, double *partial, int n, int blocks, cudaStream_t stream)
{
    void *arguments[] = {&in, &out, &partial, &n};
    return cudaLaunchCooperativeKernel((const void *)divide_by_sum, dim3(blocks), dim3(256), arguments, 0, stream);
}
