// Inclusive scan of a block: warps first, their totals next.
constexpr int kWarp = 32;

__global__ void scan_block_last_lane(const int *in, int *out)
{
    __shared__ int totals[kWarp];
    const int tid = threadIdx.x, lane = tid % kWarp, warp = tid / kWarp;
    const int gid = blockIdx.x * blockDim.x + tid;
    int x = in[gid];
    for (int d = 1; d < kWarp; d *= 2) {
        int y = __shfl_up_sync(~0u, x, d);
        if (lane >= d) x += y;
    }
    int total = __shfl_sync(~0u, x, kWarp - 1);
    if (lane == 0) totals[warp] = total;
    __syncthreads();
    int before = 0;
    for (int w = 0; w < warp; ++w) before += totals[w];
    out[gid] = x + before;
}
