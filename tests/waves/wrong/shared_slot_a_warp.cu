// A slot for each warp, found by warpSize, and as many as 32-lane warps: the others are never written.
__global__ void shared_slot_a_warp(const int *in, int *out, int n) {
    __shared__ int slot[8];
    if (threadIdx.x < 8) slot[threadIdx.x] = 1000;
    __syncthreads();
    if (threadIdx.x % warpSize == 0) slot[threadIdx.x / warpSize] = in[threadIdx.x];
    __syncthreads();
    int sum = 0;
    for (int w = 0; w < blockDim.x / 32; ++w) sum += slot[w];
    out[threadIdx.x] = sum;
}
