// One word of bits a warp.
__global__ void ballot_to_memory(const int *in, int *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned word = __ballot_sync(0xffffffff, in[i] > 4);
    if ((threadIdx.x & 31) == 0) out[i >> 5] = word;
}
