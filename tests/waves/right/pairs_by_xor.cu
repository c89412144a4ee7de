__global__ void pairs_by_xor(const int *in, int *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int other = __shfl_xor_sync(0xffffffff, in[i], 1);
    out[i] = threadIdx.x & 1 ? other - in[i] : in[i] - other;
}
