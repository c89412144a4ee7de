__global__ void bitset_words(const int *in, int *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (in[i] > 4) atomicOr(out + (i >> 5), 1 << (i & 31));
}
