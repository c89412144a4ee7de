#include <cooperative_groups.h>
using namespace cooperative_groups;

__device__ int sum_through_shared(thread_group g, int *s, int v)
{
    int lane = g.thread_rank();
    for (int i = g.size() / 2; i > 0; i /= 2) {
        s[lane] = v;
        g.sync();
        if (lane < i) v += s[lane + i];
        g.sync();
    }
    return v;
}

__global__ void cg_dynamic_tile(const int *in, int *out)
{
    __shared__ int s[128];
    thread_group tile = tiled_partition(this_thread_block(), 32);
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int v = sum_through_shared(tile, s + threadIdx.x / 32 * 32, in[i]);
    if (tile.thread_rank() == 0) out[i / 32] = v;
}
