// The last lane of a warp, by 31, of a lane taken by warpSize.
__global__ void last_warp_lane_mixed(const int *in, int *totals)
{
    const int lane = threadIdx.x % warpSize;
    int v = in[blockIdx.x * blockDim.x + threadIdx.x];
    for (int d = 1; d < warpSize; d *= 2) {
        int u = __shfl_up_sync(0xffffffff, v, d);
        if (lane >= d) v += u;
    }
    if (lane == 31) totals[(blockIdx.x * blockDim.x + threadIdx.x) / warpSize] = v;
}
