// Rank among the equal keys of a warp, as radix sorts want it.
__global__ void match_rank(const int *digit, int *rank)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    const unsigned same = __match_any_sync(~0u, digit[i]);
    const unsigned below = (1u << (threadIdx.x % 32)) - 1;
    rank[i] = __popc(same & below);
}
