// y = alpha * A * x + beta * y for a sparse matrix in CSR, with cuSPARSE's generic API.
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime_api.h>
#include <cusparse.h>

#define CUDA_OR_LEAVE(call)                                                    \
    if (cudaError_t code = (call); code != cudaSuccess) {                      \
        fprintf(stderr, "%s: %s\n", #call, cudaGetErrorString(code));          \
        return 1;                                                              \
    }
#define SPARSE_OR_LEAVE(call)                                                  \
    if (cusparseStatus_t code = (call); code != CUSPARSE_STATUS_SUCCESS) {     \
        fprintf(stderr, "%s: %s\n", #call, cusparseGetErrorString(code));      \
        return 2;                                                              \
    }

int main() {
    const int rows = 3, columns = 4, nonzeros = 6;
    int offsets[] = {0, 2, 3, 6};
    int indices[] = {1, 3, 0, 0, 2, 3};
    float values[] = {0.5f, 1.5f, -2.0f, 4.0f, 0.25f, 1.0f};
    float x[] = {2.0f, 4.0f, 8.0f, 16.0f}, y[] = {0.0f, 0.0f, 0.0f};
    float alpha = 1.0f, beta = 0.0f;

    int *d_offsets, *d_columns;
    float *d_values, *d_x, *d_y;
    CUDA_OR_LEAVE(cudaMalloc((void **)&d_offsets, (rows + 1) * sizeof(int)))
    CUDA_OR_LEAVE(cudaMalloc((void **)&d_columns, nonzeros * sizeof(int)))
    CUDA_OR_LEAVE(cudaMalloc((void **)&d_values, nonzeros * sizeof(float)))
    CUDA_OR_LEAVE(cudaMalloc((void **)&d_x, columns * sizeof(float)))
    CUDA_OR_LEAVE(cudaMalloc((void **)&d_y, rows * sizeof(float)))
    CUDA_OR_LEAVE(cudaMemcpy(d_offsets, offsets, (rows + 1) * sizeof(int), cudaMemcpyHostToDevice))
    CUDA_OR_LEAVE(cudaMemcpy(d_columns, indices, nonzeros * sizeof(int), cudaMemcpyHostToDevice))
    CUDA_OR_LEAVE(cudaMemcpy(d_values, values, nonzeros * sizeof(float), cudaMemcpyHostToDevice))
    CUDA_OR_LEAVE(cudaMemcpy(d_x, x, columns * sizeof(float), cudaMemcpyHostToDevice))

    cusparseHandle_t handle = NULL;
    cusparseSpMatDescr_t matrix;
    cusparseDnVecDescr_t vec_x, vec_y;
    void *buffer = NULL;
    size_t buffer_size = 0;
    SPARSE_OR_LEAVE(cusparseCreate(&handle))
    SPARSE_OR_LEAVE(cusparseCreateCsr(&matrix, rows, columns, nonzeros, d_offsets, d_columns, d_values,
                                     CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO, CUDA_R_32F))
    SPARSE_OR_LEAVE(cusparseCreateDnVec(&vec_x, columns, d_x, CUDA_R_32F))
    SPARSE_OR_LEAVE(cusparseCreateDnVec(&vec_y, rows, d_y, CUDA_R_32F))
    SPARSE_OR_LEAVE(cusparseSpMV_bufferSize(handle, CUSPARSE_OPERATION_NON_TRANSPOSE, &alpha, matrix, vec_x, &beta,
                                           vec_y, CUDA_R_32F, CUSPARSE_SPMV_ALG_DEFAULT, &buffer_size))
    CUDA_OR_LEAVE(cudaMalloc(&buffer, buffer_size))
    SPARSE_OR_LEAVE(cusparseSpMV(handle, CUSPARSE_OPERATION_NON_TRANSPOSE, &alpha, matrix, vec_x, &beta, vec_y,
                                CUDA_R_32F, CUSPARSE_SPMV_ALG_DEFAULT, buffer))
    CUDA_OR_LEAVE(cudaMemcpy(y, d_y, rows * sizeof(float), cudaMemcpyDeviceToHost))
    printf("%g %g %g\n", y[0], y[1], y[2]);

    cusparseMatDescr_t description;
    SPARSE_OR_LEAVE(cusparseCreateMatDescr(&description))
    SPARSE_OR_LEAVE(cusparseSetMatType(description, CUSPARSE_MATRIX_TYPE_GENERAL))
    SPARSE_OR_LEAVE(cusparseSetMatIndexBase(description, CUSPARSE_INDEX_BASE_ZERO))
    SPARSE_OR_LEAVE(cusparseDestroyMatDescr(description))
    SPARSE_OR_LEAVE(cusparseDestroySpMat(matrix))
    SPARSE_OR_LEAVE(cusparseDestroyDnVec(vec_x))
    SPARSE_OR_LEAVE(cusparseDestroyDnVec(vec_y))
    SPARSE_OR_LEAVE(cusparseDestroy(handle))
    CUDA_OR_LEAVE(cudaFree(buffer))
    return 0;
}
