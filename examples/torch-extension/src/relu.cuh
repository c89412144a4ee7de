#pragma once
#include <cstdint>
#include <cuda_runtime.h>

__global__ void relu_kernel(int64_t n, const float *x, float *y) {
    int64_t i = blockIdx.x * int64_t(blockDim.x) + threadIdx.x;
    if (i < n) y[i] = x[i] > 0.0f ? x[i] : 0.0f;
}
