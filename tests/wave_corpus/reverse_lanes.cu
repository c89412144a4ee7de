enum { LANES = 32 };

__global__ void reverse_lanes(const float *src, float *dst)
{
    const int t = blockIdx.x * blockDim.x + threadIdx.x;
    const int lane = threadIdx.x % LANES;
    dst[t] = __shfl_sync(0xffffffff, src[t], LANES - 1 - lane);
}
