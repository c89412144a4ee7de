// Rows of a 32x8 block are warps: threadIdx.x is the lane.
__global__ void lanes_2d_block(const float *in, float *mean, int width)
{
    int y = blockIdx.x * blockDim.y + threadIdx.y;
    float s = 0.0f;
    for (int x = threadIdx.x; x < width; x += blockDim.x) s += in[y * width + x];
    for (int o = blockDim.x / 2; o > 0; o /= 2) s += __shfl_down_sync(0xffffffff, s, o);
    s = __shfl_sync(0xffffffff, s, 0);
    for (int x = threadIdx.x; x < width; x += blockDim.x) mean[y * width + x] = in[y * width + x] - s / width;
}
