__inline__ __device__ int wave_max(int v) {
    for (int d = 1; d < warpSize; d *= 2) v = max(v, __shfl_xor_sync(0xffffffff, v, d));
    return v;
}
__global__ void warp_size_portable_max(const int *in, int *out, int n) {
    __shared__ int best[32];
    int lane = threadIdx.x % warpSize, wave = threadIdx.x / warpSize;
    int v = wave_max(in[threadIdx.x] * 13 % 101);
    if (lane == 0) best[wave] = v;
    __syncthreads();
    if (threadIdx.x == 0) {
        for (int w = 1; w < blockDim.x / warpSize; ++w) v = max(v, best[w]);
        out[blockIdx.x] = v;
    }
}
