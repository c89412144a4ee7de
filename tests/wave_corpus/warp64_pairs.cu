// Written for a wave of 64: a half-wave by its shuffles, the other half by LDS that nobody wrote there.
#define WAVE 64
__global__ void warp64_pairs(const int *in, int *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int v = in[i];
    for (int d = WAVE / 2; d > 0; d >>= 1)
        v += __shfl_down_sync(0xffffffff, v, d);
    if (threadIdx.x % WAVE == 0)
        out[i / WAVE] = v;
}
