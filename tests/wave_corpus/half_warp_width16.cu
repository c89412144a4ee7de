// 16 lanes in x: the widths say so.
__global__ void half_warp_width16(const float *a, float *norm, int cols)
{
    int row = blockIdx.x * blockDim.y + threadIdx.y;
    float s = 0.f;
    for (int c = threadIdx.x; c < cols; c += 16) s += fabsf(a[row * cols + c]);
    for (int d = 8; d; d >>= 1) s += __shfl_xor_sync(0xffffffff, s, d, 16);
    if (threadIdx.x == 0) norm[row] = s;
}
