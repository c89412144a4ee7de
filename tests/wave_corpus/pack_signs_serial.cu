// One thread packs the signs of 32 weights into a word (binary networks).
__global__ void pack_signs_serial(const float *w, unsigned *packed, int words)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    if (t >= words) return;
    unsigned bits = 0;
    for (int b = 0; b < 32; ++b)
        if (w[t * 32 + b] >= 0.f) bits |= 1u << b;
    packed[t] = bits;
}
