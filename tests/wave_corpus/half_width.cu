#include <cuda_runtime.h>

__global__ void half_width(const int* a, int* b) {
  int v = a[threadIdx.x];
  for (int o = 8; o; o >>= 1) v += __shfl_down_sync(0xffffffff, v, o, 16);
  if (threadIdx.x % 16 == 0) b[threadIdx.x / 16] = v;
}
