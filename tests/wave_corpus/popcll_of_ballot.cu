// Lanes by warpSize and 64-bit votes: somebody has thought of it.
__global__ void popcll_of_ballot(const int *x, int *count, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned long long votes = __ballot_sync(0xffffffff, i < n && (x[i] & 32));
    if ((threadIdx.x & (warpSize - 1)) == 0)
        atomicAdd(count, __popcll(votes));
}
