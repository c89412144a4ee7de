#include <cuda_runtime.h>

struct Traits { static constexpr int width = 32; static constexpr int half = width / 2; };
__global__ void member_constant(const int* a, int* b) {
  int v = a[threadIdx.x];
  for (int o = warpSize / 2; o; o /= 2) v += __shfl_xor_sync(0xffffffff, v, o);
  if (threadIdx.x % Traits::width == 0) b[threadIdx.x / Traits::width] = v;
}
