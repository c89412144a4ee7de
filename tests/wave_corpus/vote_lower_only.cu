#include <cuda_runtime.h>

__global__ void vote_lower_only(const int* a, unsigned* b) {
  unsigned m = __ballot_sync(0xffffffff, a[blockIdx.x * 32 + threadIdx.x] > 4);
  if (threadIdx.x == 0) b[blockIdx.x] = m;
}
