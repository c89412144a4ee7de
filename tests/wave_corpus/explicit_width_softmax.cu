#define FULL 0xffffffff
__global__ void explicit_width_softmax(const float *in, float *out, int cols)
{
    int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    int row = blockIdx.x * (blockDim.x / 32) + warp;
    float mx = -1e30f, sum = 0.f;
    for (int c = lane; c < cols; c += 32) mx = fmaxf(mx, in[row * cols + c]);
    for (int o = 16; o; o >>= 1) mx = fmaxf(mx, __shfl_down_sync(FULL, mx, o, 32));
    mx = __shfl_sync(FULL, mx, 0, 32);
    for (int c = lane; c < cols; c += 32) sum += expf(in[row * cols + c] - mx);
    for (int o = 16; o; o >>= 1) sum += __shfl_down_sync(FULL, sum, o, 32);
    sum = __shfl_sync(FULL, sum, 0, 32);
    for (int c = lane; c < cols; c += 32) out[row * cols + c] = expf(in[row * cols + c] - mx) / sum;
}
