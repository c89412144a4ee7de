#include <cuda_runtime.h>

__global__ void shift(const int *in, int *out) {
    __shared__ int s[64];
    s[threadIdx.x + 1] = in[threadIdx.x];
    __syncthreads();
    out[threadIdx.x] = threadIdx.x ? s[threadIdx.x] : 0;
}
