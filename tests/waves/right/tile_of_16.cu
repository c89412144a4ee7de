#include <cooperative_groups.h>
__global__ void tile_of_16(const int *in, int *out, int n) {
    auto tile = cooperative_groups::tiled_partition<16>(cooperative_groups::this_thread_block());
    int i = blockIdx.x * blockDim.x + threadIdx.x, v = in[i];
    for (int d = tile.size() / 2; d > 0; d /= 2) v += tile.shfl_xor(v, d);
    out[i] = v;
}
