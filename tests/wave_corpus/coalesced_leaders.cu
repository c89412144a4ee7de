#include <cuda_runtime.h>
#include <cooperative_groups.h>

namespace cg = cooperative_groups;
__global__ void coalesced_leaders(const int* a, int* n) {
  if (a[threadIdx.x] % 2) {
    auto g = cg::coalesced_threads();
    if (g.thread_rank() == 0) atomicAdd(n, 1);
  }
}
