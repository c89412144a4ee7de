#include <cuda_runtime.h>

__global__ void work_queue(int* done, int* next) {
  const int lane = threadIdx.x & 0x1f;
  for (;;) {
    int row = 0;
    if (lane == 0) row = atomicAdd(next, 1);
    row = __shfl_sync(0xffffffff, row, 0);
    if (row >= 8) break;
    atomicAdd(&done[row], 1);
  }
  __syncthreads();
  if (threadIdx.x == 0) *next = 0;
}
