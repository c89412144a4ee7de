// Rank in a vote by %lanemask_lt.
__device__ unsigned lanemask_lt()
{
    unsigned m;
    asm("mov.u32 %0, %%lanemask_lt;" : "=r"(m));
    return m;
}

__global__ void asm_lanemask(const int *in, int *rank)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned votes = __ballot_sync(0xffffffff, in[i] & 1);
    rank[i] = (in[i] & 1) ? __popc(votes & lanemask_lt()) : -1;
}
