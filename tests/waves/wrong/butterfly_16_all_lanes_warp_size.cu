// The sum is over warpSize lanes by name and over 32 by number.
__global__ void butterfly_16_all_lanes_warp_size(const int *in, int *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int v = in[i];
    for (int offset = 16; offset > 0; offset >>= 1) v += __shfl_xor_sync(0xffffffff, v, offset);
    if (threadIdx.x % warpSize == 0) atomicAdd(out, v);
}
