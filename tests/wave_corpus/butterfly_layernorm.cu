// Xor shuffles below 32 never leave a group of 32.
#define WARP_SIZE 32
__device__ float allsum(float v)
{
    #pragma unroll
    for (int m = WARP_SIZE / 2; m > 0; m >>= 1) v += __shfl_xor_sync(0xffffffff, v, m, WARP_SIZE);
    return v;
}

__global__ void butterfly_layernorm(const float *x, float *y, int cols, float eps)
{
    const int row = blockIdx.x * blockDim.y + threadIdx.y;
    const float *in = x + row * cols;
    float s = 0.f, q = 0.f;
    for (int c = threadIdx.x; c < cols; c += WARP_SIZE) s += in[c];
    const float mean = allsum(s) / cols;
    for (int c = threadIdx.x; c < cols; c += WARP_SIZE) q += (in[c] - mean) * (in[c] - mean);
    const float rstd = rsqrtf(allsum(q) / cols + eps);
    for (int c = threadIdx.x; c < cols; c += WARP_SIZE) y[row * cols + c] = (in[c] - mean) * rstd;
}
