// A scan of a block that goes by warpSize all along.
__global__ void generic_scan(const int *in, int *out)
{
    extern __shared__ int sums[];
    const int lane = threadIdx.x & (warpSize - 1), warp = threadIdx.x / warpSize, warps = blockDim.x / warpSize;
    int v = in[blockIdx.x * blockDim.x + threadIdx.x];
    for (int d = 1; d < warpSize; d <<= 1) {
        int u = __shfl_up_sync(0xffffffff, v, d);
        if (lane >= d) v += u;
    }
    if (lane == warpSize - 1) sums[warp] = v;
    __syncthreads();
    if (threadIdx.x == 0)
        for (int w = 1; w < warps; ++w) sums[w] += sums[w - 1];
    __syncthreads();
    out[blockIdx.x * blockDim.x + threadIdx.x] = v + (warp ? sums[warp - 1] : 0);
}
