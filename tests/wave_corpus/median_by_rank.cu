// The median of each 32 values: count the smaller ones with shuffles around the warp.
__global__ void median_by_rank(const int *v, int *median)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int lane = i % 32, mine = v[i], smaller = 0;
    for (int other = 0; other < 32; other++) {
        int o = __shfl_sync(0xffffffff, mine, other);
        smaller += o < mine || (o == mine && other < lane);
    }
    if (smaller == 16)
        median[i / 32] = mine;
}
