// Warp 0 finds the minimum, warp 1 the maximum of the block's 64 values, each by a broadcast from its own lane 0.
__global__ void warp_roles(const int *v, int *lo, int *hi)
{
    __shared__ int s[64];
    const int t = threadIdx.x;
    s[t] = v[blockIdx.x * 64 + t];
    __syncthreads();
    const int warp = t >> 5, lane = t & 31;
    if (warp == 0) {
        int m = min(s[lane], s[lane + 32]);
        for (int d = 16; d; d /= 2) m = min(m, __shfl_down_sync(0xffffffff, m, d));
        lo[blockIdx.x * 32 + lane] = __shfl_sync(0xffffffff, m, 0);
    } else {
        int m = max(s[lane], s[lane + 32]);
        for (int d = 16; d; d /= 2) m = max(m, __shfl_down_sync(0xffffffff, m, d));
        hi[blockIdx.x * 32 + lane] = __shfl_sync(0xffffffff, m, 0);
    }
}
