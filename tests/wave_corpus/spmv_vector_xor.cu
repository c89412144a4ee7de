// CSR with 32 lanes a row, by numbers alone.
__global__ void spmv_vector_xor(const int *rowptr, const int *colidx, const double *values, const double *x, double *y, int rows)
{
    enum { LANES_PER_ROW = 32 };
    int thread = blockIdx.x * blockDim.x + threadIdx.x;
    int row = thread / LANES_PER_ROW, lane = thread % LANES_PER_ROW;
    double sum = 0;
    if (row < rows)
        for (int j = rowptr[row] + lane; j < rowptr[row + 1]; j += LANES_PER_ROW) sum += values[j] * x[colidx[j]];
    for (int d = LANES_PER_ROW / 2; d > 0; d /= 2) sum += __shfl_xor_sync(0xffffffff, sum, d);
    if (row < rows && lane == 0) y[row] = sum;
}
