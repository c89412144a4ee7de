// Each warp turns its 32 values round in shared memory.
__global__ void syncwarp_reverse(const int *in, int *out, int n) {
    __shared__ int tile[256];
    int lane = threadIdx.x % 32, base = threadIdx.x - threadIdx.x % warpSize;
    tile[threadIdx.x] = in[threadIdx.x];
    __syncwarp();
    out[threadIdx.x] = tile[base + 31 - lane];
}
