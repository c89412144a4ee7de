#define WARP 32
#define ALL_LANES ((unsigned)-1)
__global__ void find_last_clz(const short *v, int *last)
{
    const int gid = blockIdx.x * blockDim.x + threadIdx.x;
    const unsigned vote = __ballot_sync(ALL_LANES, v[gid] < 0);
    if (gid % WARP == WARP - 1)
        last[gid / WARP] = WARP - 1 - __clz(vote);
}
