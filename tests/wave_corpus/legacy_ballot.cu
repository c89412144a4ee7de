// CUDA 8's names: a vote, and the rank of a lane in it.
#define warp_ballot(p) __ballot(p)
__global__ void legacy_ballot(const float *p, int *rank)
{
    const unsigned lid = threadIdx.x % 32u;
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned b = warp_ballot(p[i] > 0.5f);
    rank[i] = p[i] > 0.5f ? __popc(b << (31 - lid)) : 0;
}
