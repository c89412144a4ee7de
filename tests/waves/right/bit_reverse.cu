__global__ void bit_reverse(const int *in, int *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned v = in[i], r = 0;
    for (int b = 0; b < 32; ++b) r |= ((v >> b) & 1u) << (31 - b);
    out[i] = (int)(r >> 5) ^ __popc(v) ^ __clz(v | 1);
}
