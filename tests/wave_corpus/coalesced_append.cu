#include <cooperative_groups.h>
namespace cg = cooperative_groups;

// Aggregated append with the group of whoever is here.
__device__ int append(int *counter)
{
    cg::coalesced_group g = cg::coalesced_threads();
    int base = 0;
    if (g.thread_rank() == 0) base = atomicAdd(counter, g.size());
    return g.shfl(base, 0) + g.thread_rank();
}

__global__ void coalesced_append(const int *in, int *out, int *counter, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && in[i] % 3 == 0) out[append(counter)] = in[i];
}
