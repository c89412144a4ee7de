// Sum of a block; offsets follow warpSize, the numbering of warps does not.
__inline__ __device__ int reduceWarp(int v) {
    for (int offset = warpSize / 2; offset > 0; offset /= 2)
        v += __shfl_down_sync(0xffffffff, v, offset);
    return v;
}

__global__ void reduce_warpsize_mixed(const int *in, int *out, int n) {
    static __shared__ int shared[32];
    int lane = threadIdx.x & 0x1f;
    int wid = threadIdx.x >> 5;
    int v = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) v += in[i];
    v = reduceWarp(v);
    if (lane == 0) shared[wid] = v;
    __syncthreads();
    v = threadIdx.x < blockDim.x / 32 ? shared[lane] : 0;
    if (wid == 0) v = reduceWarp(v);
    if (threadIdx.x == 0) out[blockIdx.x] = v;
}
