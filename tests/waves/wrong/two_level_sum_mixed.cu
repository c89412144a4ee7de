#define WARPS 8
__global__ void two_level_sum_mixed(const int *in, int *out, int n) {
    __shared__ int partial[WARPS];
    int lane = threadIdx.x % warpSize, warp = threadIdx.x / 32;
    int v = in[blockIdx.x * blockDim.x + threadIdx.x];
    for (int d = 16; d; d /= 2) v += __shfl_down_sync(0xffffffff, v, d);
    if (threadIdx.x < WARPS) partial[threadIdx.x] = 0;
    __syncthreads();
    if (lane == 0) partial[warp] = v;
    __syncthreads();
    if (threadIdx.x == 0) {
        int total = 0;
        for (int w = 0; w < WARPS; ++w) total += partial[w];
        out[blockIdx.x] = total;
    }
}
