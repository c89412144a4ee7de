#include <cuda_runtime.h>

__global__ void warpsize_throughout(const int* a, int* b) {
  __shared__ int s[64];
  int v = a[blockIdx.x * blockDim.x + threadIdx.x], lane = threadIdx.x % warpSize, w = threadIdx.x / warpSize;
  for (int o = warpSize / 2; o > 0; o /= 2) v += __shfl_down_sync(0xffffffff, v, o);
  if (lane == 0) s[w] = v;
  __syncthreads();
  if (w == 0) {
    v = lane < blockDim.x / warpSize ? s[lane] : 0;
    for (int o = warpSize / 2; o > 0; o /= 2) v += __shfl_down_sync(0xffffffff, v, o);
    if (lane == 0) b[blockIdx.x] = v;
  }
}
