// A sieve in a bit set: word i >> 5, bit i & 31.
__global__ void bitset_sieve(unsigned *composite, int limit)
{
    int p = blockIdx.x * blockDim.x + threadIdx.x + 2;
    if (p * p > limit) return;
    for (int m = p * p; m <= limit; m += p)
        atomicOr(&composite[m >> 5], 1u << (m & 31));
}
