// The lane is taken by warpSize, the loop knows 32.
__global__ void scan_lane_by_warpsize(int *data)
{
    int lane = threadIdx.x % warpSize;
    int v = data[threadIdx.x];
#pragma unroll
    for (int i = 1; i <= 16; i *= 2) {
        int n = __shfl_up_sync(0xffffffff, v, i);
        if (lane >= i)
            v += n;
    }
    data[threadIdx.x] = v;
}
