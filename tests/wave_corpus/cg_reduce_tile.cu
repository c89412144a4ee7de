#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
namespace cg = cooperative_groups;

__global__ void cg_reduce_tile(const int *in, int *top, int *sum)
{
    auto warp = cg::tiled_partition<32>(cg::this_thread_block());
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int t = cg::reduce(warp, in[i], cg::greater<int>());
    int s = cg::reduce(warp, in[i], cg::plus<int>());
    if (warp.thread_rank() == 0) {
        top[i / 32] = t;
        sum[i / 32] = s;
    }
}
