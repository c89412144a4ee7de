struct Flags { unsigned bits; };
__global__ void packed_flags(const int *in, int *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    Flags flags;
    flags.bits = __ballot_sync(0xffffffff, in[i] & 2);
    out[i] = (flags.bits >> (threadIdx.x & 31)) & 1 ? __popc(flags.bits) : 0;
}
