// lane = id % warpSize, but the columns advance by 32.
__global__ void matvec_double_visit(const float *m, const float *x, float *y, int rows, int cols)
{
    const int id = blockIdx.x * blockDim.x + threadIdx.x;
    const int row = id / warpSize, lane = id % warpSize;
    if (row >= rows) return;
    float dot = 0.0f;
    for (int c = lane; c < cols; c += 32)
        dot += m[row * cols + c] * x[c];
    for (int d = warpSize / 2; d > 0; d >>= 1)
        dot += __shfl_down_sync(0xffffffff, dot, d);
    if (lane == 0) y[row] = dot;
}
