// A block is a warp, and says so.
__global__ void __launch_bounds__(32) one_warp_blocks(const float *a, float *norm, int dim)
{
    float s = 0.f;
    for (int c = threadIdx.x; c < dim; c += 32) s += a[blockIdx.x * dim + c] * a[blockIdx.x * dim + c];
    for (int d = 16; d >= 1; d >>= 1) s += __shfl_down_sync(0xffffffff, s, d);
    s = __shfl_sync(0xffffffff, s, 0);
    for (int c = threadIdx.x; c < dim; c += 32) norm[blockIdx.x * dim + c] = a[blockIdx.x * dim + c] * rsqrtf(s);
}
