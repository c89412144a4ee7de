#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__global__ void tile_of_groups(const int *in, int *out, int n) {
    cg::thread_block_tile<32> tile = cg::tiled_partition<32>(cg::this_thread_block());
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = tile.shfl(in[i], 0) + tile.shfl_down(in[i], 3);
}
