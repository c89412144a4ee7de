// A row of 32 a warp; all lanes want the maximum.
__global__ void warp_per_row_max(const int *in, int *out, int n) {
    const int W = 32;
    int row = (blockIdx.x * blockDim.x + threadIdx.x) / W, col = threadIdx.x % W;
    int best = in[row * W + col];
    best = max(best, __shfl_down_sync(0xffffffff, best, 16));
    best = max(best, __shfl_down_sync(0xffffffff, best, 8));
    best = max(best, __shfl_down_sync(0xffffffff, best, 4));
    best = max(best, __shfl_down_sync(0xffffffff, best, 2));
    best = max(best, __shfl_down_sync(0xffffffff, best, 1));
    best = __shfl_sync(0xffffffff, best, 0);
    out[row * W + col] = in[row * W + col] == best;
}
