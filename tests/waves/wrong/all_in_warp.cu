__global__ void all_in_warp(const int *in, int *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = __all_sync(0xffffffff, in[i] < 9 || (threadIdx.x & 32));
}
