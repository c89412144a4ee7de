#include "cuda_runtime.h"
#include "cuda_runtime_api.h"

#if defined(__CUDACC__)
#define HOST_DEVICE __host__ __device__
#else
#define HOST_DEVICE
#endif

struct CsrMatrix {
    int rows;
    const int *row_start;  // rows + 1 entries
    const int *column;
    const double *value;
};

HOST_DEVICE inline double row_dot(const CsrMatrix &m, int row, const double *x)
{
    double sum = 0.0;
    for (int k = m.row_start[row]; k < m.row_start[row + 1]; ++k)
        sum += m.value[k] * x[m.column[k]];
    return sum;
}

// y = A x, one thread a row
static __global__ void spmv_csr(CsrMatrix m, const double *x, double *y)
{
    int row = blockDim.x * blockIdx.x + threadIdx.x;
    if (row < m.rows) y[row] = row_dot(m, row, x);
}

// Lets the runtime choose the block size that fills the device best.
cudaError_t spmv(const CsrMatrix &m, const double *x, double *y, cudaStream_t stream)
{
    int grid = 0, block = 0;
    cudaError_t err = cudaOccupancyMaxPotentialBlockSize(&grid, &block, spmv_csr, 0, 0);
    if (err != cudaSuccess) return err;

    grid = (m.rows + block - 1) / block;
    if (grid == 0) return cudaSuccess;

    void *args[] = {(void *)&m, (void *)&x, (void *)&y};
    return cudaLaunchKernel((const void *)spmv_csr, dim3(grid), dim3(block), args, 0, stream);
}
