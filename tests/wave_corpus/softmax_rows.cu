// One warp a row: max and sum by shuffles, then everybody takes lane 0's.
#include <cuda_runtime.h>
#include <math.h>

__device__ __forceinline__ float warp_max(float v)
{
    for (int offset = 16; offset > 0; offset /= 2)
        v = fmaxf(v, __shfl_down_sync(0xffffffff, v, offset));
    return __shfl_sync(0xffffffff, v, 0);
}

__device__ __forceinline__ float warp_sum(float v)
{
    for (int offset = 16; offset > 0; offset /= 2)
        v += __shfl_down_sync(0xffffffff, v, offset);
    return __shfl_sync(0xffffffff, v, 0);
}

__global__ void softmax_rows(const float *x, float *y, int rows, int cols)
{
    int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
    int lane = threadIdx.x % 32;
    if (row >= rows) return;
    float m = -INFINITY;
    for (int c = lane; c < cols; c += 32) m = fmaxf(m, x[row * cols + c]);
    m = warp_max(m);
    float s = 0.f;
    for (int c = lane; c < cols; c += 32) s += expf(x[row * cols + c] - m);
    s = warp_sum(s);
    for (int c = lane; c < cols; c += 32) y[row * cols + c] = expf(x[row * cols + c] - m) / s;
}
