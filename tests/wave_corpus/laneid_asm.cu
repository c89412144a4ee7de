// The lane by PTX, the warp's row by 32.
__device__ __inline__ unsigned lane_id() {
    unsigned ret;
    asm volatile("mov.u32 %0, %laneid;" : "=r"(ret));
    return ret;
}

__global__ void laneid_asm(const int *x, int *y)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int row = i / 32;
    int v = x[i] * (int)(lane_id() + 1);
    for (int d = 16; d; d >>= 1) v += __shfl_xor_sync(0xffffffffu, v, d);
    if (lane_id() == 0) y[row] = v;
}
