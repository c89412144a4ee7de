__global__ void butterfly_groups(const int *in, int *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int v = in[i];
    for (int d = 1; d < 32; d *= 2) v += __shfl_xor_sync(0xffffffff, v, d);
    out[i] = v;
}
