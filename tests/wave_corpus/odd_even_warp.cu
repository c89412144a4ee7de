#include <cuda_runtime.h>

__global__ void odd_even_warp(const int* a, int* b) {
  int role = (threadIdx.x / warpSize) & 1;
  b[threadIdx.x] = role ? a[threadIdx.x] * 3 : a[threadIdx.x] + 5;
  if (__popc(__ballot_sync(0xffffffff, role)) == 32) b[threadIdx.x] += 1000;
}
