// Solve A x = b for a symmetric positive definite A: Cholesky with cuSOLVER, then LU of the same system.
#include <cstdio>
#include <cstdlib>
#include <vector>
#include <cuda_runtime.h>
#include <cusolverDn.h>

#define CUSOLVER_CHECK(err)                                                      \
    do {                                                                         \
        cusolverStatus_t err_ = (err);                                           \
        if (err_ != CUSOLVER_STATUS_SUCCESS) {                                   \
            printf("cusolver error %d at %s:%d\n", err_, __FILE__, __LINE__);    \
            std::exit(1);                                                        \
        }                                                                        \
    } while (0)

int main() {
    const int n = 3, lda = n, right = 1;
    const std::vector<double> a = {4.0, 1.0, 0.5, 1.0, 5.0, 1.5, 0.5, 1.5, 6.0};
    const std::vector<double> b = {1.0, 2.0, 3.0};
    std::vector<double> x(n);
    double *d_a = nullptr, *d_b = nullptr, *d_work = nullptr;
    int *d_info = nullptr, *d_pivots = nullptr, info = 0, lwork = 0;

    cusolverDnHandle_t handle = nullptr;
    cudaStream_t stream = nullptr;
    CUSOLVER_CHECK(cusolverDnCreate(&handle));
    cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
    CUSOLVER_CHECK(cusolverDnSetStream(handle, stream));
    cudaMalloc(reinterpret_cast<void **>(&d_a), sizeof(double) * a.size());
    cudaMalloc(reinterpret_cast<void **>(&d_b), sizeof(double) * b.size());
    cudaMalloc(reinterpret_cast<void **>(&d_info), sizeof(int));
    cudaMalloc(reinterpret_cast<void **>(&d_pivots), sizeof(int) * n);

    const cublasFillMode_t uplo = CUBLAS_FILL_MODE_LOWER;
    cudaMemcpyAsync(d_a, a.data(), sizeof(double) * a.size(), cudaMemcpyHostToDevice, stream);
    cudaMemcpyAsync(d_b, b.data(), sizeof(double) * b.size(), cudaMemcpyHostToDevice, stream);
    CUSOLVER_CHECK(cusolverDnDpotrf_bufferSize(handle, uplo, n, d_a, lda, &lwork));
    cudaMalloc(reinterpret_cast<void **>(&d_work), sizeof(double) * lwork);
    CUSOLVER_CHECK(cusolverDnDpotrf(handle, uplo, n, d_a, lda, d_work, lwork, d_info));
    CUSOLVER_CHECK(cusolverDnDpotrs(handle, uplo, n, right, d_a, lda, d_b, n, d_info));
    cudaMemcpyAsync(&info, d_info, sizeof(int), cudaMemcpyDeviceToHost, stream);
    cudaMemcpyAsync(x.data(), d_b, sizeof(double) * n, cudaMemcpyDeviceToHost, stream);
    cudaStreamSynchronize(stream);
    printf("info %d, x = %g %g %g\n", info, x[0], x[1], x[2]);
    cudaFree(d_work);

    CUSOLVER_CHECK(cusolverDnDgetrf_bufferSize(handle, n, n, d_a, lda, &lwork));
    cudaMalloc(reinterpret_cast<void **>(&d_work), sizeof(double) * lwork);
    CUSOLVER_CHECK(cusolverDnDgetrf(handle, n, n, d_a, lda, d_work, d_pivots, d_info));
    CUSOLVER_CHECK(cusolverDnDgetrs(handle, CUBLAS_OP_N, n, right, d_a, lda, d_pivots, d_b, n, d_info));
    cudaFree(d_work);

    double *d_w = nullptr;
    cudaMalloc(reinterpret_cast<void **>(&d_w), sizeof(double) * n);
    CUSOLVER_CHECK(cusolverDnDsyevd_bufferSize(handle, CUSOLVER_EIG_MODE_VECTOR, uplo, n, d_a, lda, d_w, &lwork));
    cudaMalloc(reinterpret_cast<void **>(&d_work), sizeof(double) * lwork);
    CUSOLVER_CHECK(cusolverDnDsyevd(handle, CUSOLVER_EIG_MODE_VECTOR, uplo, n, d_a, lda, d_w, d_work, lwork, d_info));
    cudaStreamSynchronize(stream);

    cudaFree(d_a);
    cudaFree(d_b);
    cudaFree(d_w);
    cudaFree(d_work);
    cudaFree(d_info);
    cudaFree(d_pivots);
    CUSOLVER_CHECK(cusolverDnDestroy(handle));
    cudaStreamDestroy(stream);
    cudaDeviceReset();
    return 0;
}
