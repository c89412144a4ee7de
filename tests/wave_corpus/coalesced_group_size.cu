#include <cooperative_groups.h>
namespace cg = cooperative_groups;

// Each group of lanes that come together writes how many they are.
__global__ void coalesced_group_size(const int *x, int *together)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (x[i] % 2) {
        auto g = cg::coalesced_threads();
        together[i] = g.size();
    }
}
