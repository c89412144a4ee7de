// Weights in groups of 32, as 4 bits each: the group's size is the format's.
#define QK 32
struct block_q4 { float scale; unsigned char qs[QK / 2]; };

__global__ void quantise_groups(const float *x, float *scales, unsigned char *packed, int groups)
{
    int g = blockIdx.x * blockDim.x + threadIdx.x;
    if (g >= groups) return;
    block_q4 b;
    float top = 0.f;
    for (int k = 0; k < QK; ++k) top = fmaxf(top, fabsf(x[g * QK + k]));
    b.scale = top / 7.f;
    for (int k = 0; k < QK / 2; ++k) {
        int lo = (int)rintf(x[g * QK + k] / b.scale) + 8, hi = (int)rintf(x[g * QK + k + QK / 2] / b.scale) + 8;
        b.qs[k] = lo | hi << 4;
    }
    scales[g] = b.scale;
    for (int k = 0; k < QK / 2; ++k) packed[g * (QK / 2) + k] = b.qs[k];
}
