#include <cuda_runtime.h>

__global__ void scale_kernel(int n, float a, float *x) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) x[i] *= a;
}

// Multiply n floats of host memory; 0 if all went well.
extern "C" int scale(int n, float a, float *x) {
    float *dx;
    size_t bytes = n * sizeof(float);
    if (cudaMalloc(&dx, bytes) != cudaSuccess) return 1;
    cudaError_t status = cudaMemcpy(dx, x, bytes, cudaMemcpyHostToDevice);
    if (status == cudaSuccess) {
        scale_kernel<<<(n + 255) / 256, 256>>>(n, a, dx);
        status = cudaMemcpy(x, dx, bytes, cudaMemcpyDeviceToHost);
    }
    cudaError_t freed = cudaFree(dx);
    return status != cudaSuccess || freed != cudaSuccess;
}
