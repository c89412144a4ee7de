// Peers with the same key elect a leader, which adds for all of them.
__global__ void match_histogram(const unsigned char *keys, int *bins, int n)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) {
        unsigned lane = threadIdx.x & 31;
        unsigned key = keys[i];
        unsigned peers = __match_any_sync(0xffffffff, key);
        if (lane == __ffs(peers) - 1)
            atomicAdd(&bins[key], __popc(peers));
    }
}
