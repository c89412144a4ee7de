// y = alpha * A * x + beta * y for a sparse matrix in CSR, with cuSPARSE's generic API, then as a conversion to dense.
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime_api.h>
#include <cusparse.h>

#define CHECK_CUDA(func)                                                                           \
    {                                                                                              \
        cudaError_t status = (func);                                                               \
        if (status != cudaSuccess) {                                                               \
            printf("CUDA API failed at line %d with error: %s (%d)\n", __LINE__,                   \
                   cudaGetErrorString(status), status);                                            \
            return EXIT_FAILURE;                                                                   \
        }                                                                                          \
    }

#define CHECK_CUSPARSE(func)                                                                       \
    {                                                                                              \
        cusparseStatus_t status = (func);                                                          \
        if (status != CUSPARSE_STATUS_SUCCESS) {                                                   \
            printf("CUSPARSE API failed at line %d with error: %s (%d)\n", __LINE__,               \
                   cusparseGetErrorString(status), status);                                        \
            return EXIT_FAILURE;                                                                   \
        }                                                                                          \
    }

int main() {
    const int rows = 4, columns = 4, nonzeros = 9;
    int offsets[] = {0, 3, 4, 7, 9};
    int indices[] = {0, 2, 3, 1, 0, 2, 3, 1, 3};
    float values[] = {1.0f, 2.0f, 3.0f, 4.0f, 5.0f, 6.0f, 7.0f, 8.0f, 9.0f};
    float x[] = {1.0f, 2.0f, 3.0f, 4.0f}, y[] = {0.0f, 0.0f, 0.0f, 0.0f};
    float alpha = 1.0f, beta = 0.0f;

    int *d_offsets, *d_columns;
    float *d_values, *d_x, *d_y;
    CHECK_CUDA(cudaMalloc((void **)&d_offsets, (rows + 1) * sizeof(int)))
    CHECK_CUDA(cudaMalloc((void **)&d_columns, nonzeros * sizeof(int)))
    CHECK_CUDA(cudaMalloc((void **)&d_values, nonzeros * sizeof(float)))
    CHECK_CUDA(cudaMalloc((void **)&d_x, columns * sizeof(float)))
    CHECK_CUDA(cudaMalloc((void **)&d_y, rows * sizeof(float)))
    CHECK_CUDA(cudaMemcpy(d_offsets, offsets, (rows + 1) * sizeof(int), cudaMemcpyHostToDevice))
    CHECK_CUDA(cudaMemcpy(d_columns, indices, nonzeros * sizeof(int), cudaMemcpyHostToDevice))
    CHECK_CUDA(cudaMemcpy(d_values, values, nonzeros * sizeof(float), cudaMemcpyHostToDevice))
    CHECK_CUDA(cudaMemcpy(d_x, x, columns * sizeof(float), cudaMemcpyHostToDevice))

    cusparseHandle_t handle = NULL;
    cusparseSpMatDescr_t matrix;
    cusparseDnVecDescr_t vec_x, vec_y;
    void *buffer = NULL;
    size_t buffer_size = 0;
    CHECK_CUSPARSE(cusparseCreate(&handle))
    CHECK_CUSPARSE(cusparseCreateCsr(&matrix, rows, columns, nonzeros, d_offsets, d_columns, d_values,
                                     CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO, CUDA_R_32F))
    CHECK_CUSPARSE(cusparseCreateDnVec(&vec_x, columns, d_x, CUDA_R_32F))
    CHECK_CUSPARSE(cusparseCreateDnVec(&vec_y, rows, d_y, CUDA_R_32F))
    CHECK_CUSPARSE(cusparseSpMV_bufferSize(handle, CUSPARSE_OPERATION_NON_TRANSPOSE, &alpha, matrix, vec_x, &beta,
                                           vec_y, CUDA_R_32F, CUSPARSE_SPMV_ALG_DEFAULT, &buffer_size))
    CHECK_CUDA(cudaMalloc(&buffer, buffer_size))
    CHECK_CUSPARSE(cusparseSpMV(handle, CUSPARSE_OPERATION_NON_TRANSPOSE, &alpha, matrix, vec_x, &beta, vec_y,
                                CUDA_R_32F, CUSPARSE_SPMV_ALG_DEFAULT, buffer))
    CHECK_CUDA(cudaMemcpy(y, d_y, rows * sizeof(float), cudaMemcpyDeviceToHost))
    printf("%g %g %g %g\n", y[0], y[1], y[2], y[3]);

    cusparseMatDescr_t description;
    CHECK_CUSPARSE(cusparseCreateMatDescr(&description))
    CHECK_CUSPARSE(cusparseSetMatType(description, CUSPARSE_MATRIX_TYPE_GENERAL))
    CHECK_CUSPARSE(cusparseSetMatIndexBase(description, CUSPARSE_INDEX_BASE_ZERO))
    CHECK_CUSPARSE(cusparseDestroyMatDescr(description))
    CHECK_CUSPARSE(cusparseDestroySpMat(matrix))
    CHECK_CUSPARSE(cusparseDestroyDnVec(vec_x))
    CHECK_CUSPARSE(cusparseDestroyDnVec(vec_y))
    CHECK_CUSPARSE(cusparseDestroy(handle))
    CHECK_CUDA(cudaFree(buffer))
    return EXIT_SUCCESS;
}
