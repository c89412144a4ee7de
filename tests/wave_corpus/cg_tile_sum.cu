#include <cooperative_groups.h>
namespace cg = cooperative_groups;

__global__ void cg_tile_sum(const int *in, int *out)
{
    cg::thread_block block = cg::this_thread_block();
    cg::thread_block_tile<32> tile = cg::tiled_partition<32>(block);
    int v = in[blockIdx.x * blockDim.x + threadIdx.x];
    for (int i = tile.size() / 2; i > 0; i /= 2)
        v += tile.shfl_down(v, i);
    v = tile.shfl(v, 0);
    if (tile.thread_rank() == 0)
        out[blockIdx.x * (blockDim.x / 32) + tile.meta_group_rank()] = v;
}
