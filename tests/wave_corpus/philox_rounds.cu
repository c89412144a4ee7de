// A counter-based generator: products of 32 bits, keys per warp of 32 only as a number.
__global__ void philox_rounds(unsigned *out, unsigned key)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned a = i, b = i / 32, c = 0, d = 0;
    for (int r = 0; r < 7; ++r) {
        unsigned long long p = 0xD2511F53ull * a, q = 0xCD9E8D57ull * c;
        a = (unsigned)(q >> 32) ^ b ^ key;
        b = (unsigned)q;
        c = (unsigned)(p >> 32) ^ d ^ (key + 1);
        d = (unsigned)p;
        key += 0x9E3779B9;
    }
    out[i] = a ^ b ^ c ^ d;
}
