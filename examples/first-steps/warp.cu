#include <cuda_runtime.h>

__global__ void sums(const float *in, float *out) {
    float v = in[blockIdx.x * blockDim.x + threadIdx.x];
    for (int offset = 16; offset > 0; offset /= 2)
        v += __shfl_down_sync(0xffffffff, v, offset);
    if (threadIdx.x % warpSize == 0) atomicAdd(out, v);
}

int clusters() {
    int count = 0;
    cudaDeviceGetAttribute(&count, cudaDevAttrClusterLaunch, 0);
    return count;
}
