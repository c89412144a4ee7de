// The well-known two-level sum: only lane 0 of every 32 is read.
#include <cuda_runtime.h>

__inline__ __device__ float warpReduceSum(float val) {
  for (int offset = 16; offset > 0; offset /= 2)
    val += __shfl_down_sync(0xffffffff, val, offset);
  return val;
}

__global__ void block_reduce_classic(const float *in, float *out, int n) {
  __shared__ float partial[32];
  int lane = threadIdx.x & 31, wid = threadIdx.x >> 5;
  float sum = 0.0f;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) sum += in[i];
  sum = warpReduceSum(sum);
  if (lane == 0) partial[wid] = sum;
  __syncthreads();
  sum = (threadIdx.x < blockDim.x / 32) ? partial[lane] : 0.0f;
  if (wid == 0) sum = warpReduceSum(sum);
  if (threadIdx.x == 0) out[blockIdx.x] = sum;
}
