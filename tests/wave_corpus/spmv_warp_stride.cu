// CSR, a warp a row. The row comes from 32, the stride from warpSize.
__global__ void spmv_warp_stride(int rows, const int *ptr, const int *col, const float *val, const float *x, float *y)
{
    int row = (blockIdx.x * blockDim.x + threadIdx.x) >> 5;
    int lane = threadIdx.x & 31;
    float sum = 0;
    if (row < rows)
        for (int j = ptr[row] + lane; j < ptr[row + 1]; j += warpSize)
            sum += val[j] * x[col[j]];
    for (int o = 16; o; o >>= 1)
        sum += __shfl_xor_sync(0xffffffff, sum, o);
    if (row < rows && lane == 0)
        y[row] = sum;
}
