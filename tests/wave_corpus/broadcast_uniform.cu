// What is broadcast is the same in all lanes of a block.
__global__ void broadcast_uniform(const int *start, int *out)
{
    int from = 0;
    if (threadIdx.x % 32 == 0) from = start[blockIdx.x];
    from = __shfl_sync(0xffffffff, from, 0);
    out[blockIdx.x * blockDim.x + threadIdx.x] = from + threadIdx.x;
}
