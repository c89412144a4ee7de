// The third lane of each group of eight, by its number within 32.
__global__ void quad_leader_index(const int *in, int *out)
{
    unsigned lane = threadIdx.x & 0x1f;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = __shfl_sync(0xffffffff, in[i], (lane & 24) + 3);
}
