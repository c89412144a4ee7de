#define WORD_BITS 32
__global__ void bloom_filter(const unsigned *keys, unsigned *filter, int words, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    unsigned h = keys[i];
    for (int k = 0; k < 3; ++k) {
        h = h * 1664525u + 1013904223u;
        unsigned bit = h % (words * WORD_BITS);
        atomicOr(filter + bit / WORD_BITS, 1u << (bit % WORD_BITS));
    }
}
