__global__ void any_in_warp(const int *in, int *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = __any_sync(0xffffffff, in[i] == 9 && (threadIdx.x & 63) > 40);
}
