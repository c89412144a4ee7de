// Everything follows warpSize; 32 is only the largest number of warps a block can have.
__global__ void generic_warpsize(const int *in, int *out, int n)
{
    __shared__ int partial[32];
    const int lane = threadIdx.x % warpSize, warp = threadIdx.x / warpSize;
    int v = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) v = max(v, in[i]);
    for (int o = warpSize / 2; o > 0; o /= 2) v = max(v, __shfl_down_sync(0xffffffff, v, o));
    if (lane == 0) partial[warp] = v;
    __syncthreads();
    if (warp == 0) {
        v = lane < (blockDim.x + warpSize - 1) / warpSize ? partial[lane] : 0;
        for (int o = warpSize / 2; o > 0; o /= 2) v = max(v, __shfl_down_sync(0xffffffff, v, o));
        if (lane == 0) atomicMax(out, v);
    }
}
