__global__ void is_full_warp(const int *in, int *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = __ballot_sync(0xffffffff, in[i] >= 0) == 0xffffffff ? 1 : 2;
}
