#include <cuda_runtime.h>

__global__ void add(const float *a, const float *b, float *c, int n) {
    int idx = blockIdx.x * blockDim.x + threadIdx.x;
    if (idx < n) {
        c[idx] = a[idx] + b[idx];
    }
}

// Adds two host arrays. Returns the first error that any call reported.
cudaError_t add_on_device(const float *a, const float *b, float *c, int n) {
    float *d_a = nullptr, *d_b = nullptr, *d_c = nullptr;
    size_t bytes = n * sizeof(float);
    const int threads = 256;

    cudaError_t err = cudaMalloc(&d_a, bytes);
    if (err == cudaSuccess) err = cudaMalloc(&d_b, bytes);
    if (err == cudaSuccess) err = cudaMalloc(&d_c, bytes);
    if (err == cudaSuccess) err = cudaMemcpy(d_a, a, bytes, cudaMemcpyHostToDevice);
    if (err == cudaSuccess) err = cudaMemcpy(d_b, b, bytes, cudaMemcpyHostToDevice);
    if (err == cudaSuccess) {
        add<<<(n + threads - 1) / threads, threads>>>(d_a, d_b, d_c, n);
        err = cudaGetLastError();
    }
    if (err == cudaSuccess) err = cudaMemcpy(c, d_c, bytes, cudaMemcpyDeviceToHost);

    cudaFree(d_a);
    cudaFree(d_b);
    cudaFree(d_c);
    return err;
}
