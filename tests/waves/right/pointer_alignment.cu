__global__ void pointer_alignment(const int *in, int *out, int n) {
    int offset = (n + 31) & ~31;
    out[threadIdx.x] = in[threadIdx.x] + offset / 32 + (n >> 5);
}
