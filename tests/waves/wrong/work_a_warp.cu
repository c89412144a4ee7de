// Warps are numbered by 32, lanes stride by warpSize.
__global__ void work_a_warp(const int *in, int *out, int n) {
    int warp = threadIdx.x >> 5, lane = threadIdx.x % warpSize;
    for (int k = lane; k < 64; k += warpSize) atomicAdd(out + warp * 64 + k, in[k]);
}
