// 32 threads exchange through their own 32 words of shared memory, with __syncwarp between.
__global__ void warp_shared_exchange(const int *in, int *out)
{
    __shared__ int buffer[128];
    int *mine = buffer + (threadIdx.x & ~31);
    int lane = threadIdx.x & 31;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    mine[lane] = in[i];
    __syncwarp();
    out[i] = mine[31 - lane] - mine[(lane + 5) & 31];
}
