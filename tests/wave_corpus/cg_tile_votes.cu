#include <cooperative_groups.h>
using namespace cooperative_groups;

template <int N>
__device__ int first_of(const thread_block_tile<N> &g, bool p)
{
    unsigned m = g.ballot(p);
    return m ? __ffs(m) - 1 : -1;
}

__global__ void cg_tile_votes(const int *x, int *first, int *anyhit)
{
    auto tile = tiled_partition<16>(this_thread_block());
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int f = first_of<16>(tile, x[i] % 5 == 0);
    if (tile.any(x[i] > 90) && tile.thread_rank() == 0) anyhit[i / 16] = 1;
    if (tile.thread_rank() == 0) first[i / 16] = f;
}
