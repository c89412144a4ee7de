// Only the block's first 32 threads come here: lane 0 is theirs.
__global__ void first_warp_broadcast(const float *x, float *y)
{
    __shared__ float scale;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (threadIdx.x < 32) {
        float v = x[i];
        for (int o = 16; o > 0; o /= 2) v = fmaxf(v, __shfl_down_sync(0xffffffff, v, o));
        v = __shfl_sync(0xffffffff, v, 0);
        if (threadIdx.x == 31) scale = v;
    }
    __syncthreads();
    y[i] = x[i] / scale;
}
