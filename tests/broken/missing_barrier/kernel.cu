#include <cuda_runtime.h>

__global__ void reverse(const float *in, float *out) {
    __shared__ float s[256];
    const int t = threadIdx.x;
    s[t] = in[blockIdx.x * 256 + t];
    // __syncthreads() belongs here
    out[blockIdx.x * 256 + t] = s[255 - t];
}
