__device__ unsigned spread(unsigned v)
{
    v = (v | (v << 8)) & 0x00FF00FF;
    v = (v | (v << 4)) & 0x0F0F0F0F;
    v = (v | (v << 2)) & 0x33333333;
    v = (v | (v << 1)) & 0x55555555;
    return v;
}

__global__ void morton_interleave(const int *x, const int *y, unsigned *code, float *cell)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    code[i] = spread(x[i]) | (spread(y[i]) << 1);
    cell[i] = (float)(x[i] / 32) + (float)(y[i] % 32) / 32.0f;
}
