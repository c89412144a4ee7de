// golden: no-compile
#include <cuda_runtime.h>

__global__ void child(int *v) { v[threadIdx.x] += 1; }

__global__ void parent(int *v) {
    if (threadIdx.x == 0) {
        child<<<1, 32>>>(v);
        cudaDeviceSynchronize();
    }
}

void host(int *v) {
    parent<<<1, 32, 96 * 1024>>>(v);
    cudaDeviceSynchronize();
}
