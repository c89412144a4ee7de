__device__ int rank_of(int v, int lane) {
    int rank = 0;
    for (int other = 0; other < 32; ++other) {
        int w = __shfl_sync(0xffffffff, v, other);
        rank += w < v || (w == v && other < lane);
    }
    return rank;
}
__global__ void median_of_warp(const int *in, int *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (rank_of(in[i], threadIdx.x & 31) == 16) out[i >> 5] = in[i];
}
