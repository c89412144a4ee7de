#include <cuda_runtime.h>

__global__ void any_then_each(const int* a, int* b) {
  int v = a[threadIdx.x];
  if (__any_sync(0xffffffff, v > 1)) { if (v > 1) b[threadIdx.x] = v * 7; }
}
