// C = alpha * A * B + beta * C and a few vector operations with cuBLAS.
#include <cstdio>
#include <cstdlib>
#include <vector>
#include <cublas_v2.h>
#include <cuda_runtime.h>

#define CHECK_CUDA(call)                                                                  \
    do {                                                                                  \
        cudaError_t err_ = (call);                                                        \
        if (err_ != cudaSuccess) {                                                        \
            std::fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(err_)); \
            std::exit(EXIT_FAILURE);                                                      \
        }                                                                                 \
    } while (0)

#define CHECK_CUBLAS(call)                                                   \
    do {                                                                     \
        cublasStatus_t status_ = (call);                                     \
        if (status_ != CUBLAS_STATUS_SUCCESS) {                              \
            std::fprintf(stderr, "cuBLAS: %s\n", status_name(status_));      \
            std::exit(EXIT_FAILURE);                                         \
        }                                                                    \
    } while (0)

static const char *status_name(cublasStatus_t status) {
    switch (status) {
        case CUBLAS_STATUS_SUCCESS: return "CUBLAS_STATUS_SUCCESS";
        case CUBLAS_STATUS_NOT_INITIALIZED: return "CUBLAS_STATUS_NOT_INITIALIZED";
        case CUBLAS_STATUS_ALLOC_FAILED: return "CUBLAS_STATUS_ALLOC_FAILED";
        case CUBLAS_STATUS_INVALID_VALUE: return "CUBLAS_STATUS_INVALID_VALUE";
        case CUBLAS_STATUS_EXECUTION_FAILED: return "CUBLAS_STATUS_EXECUTION_FAILED";
        default: return "another status";
    }
}

int main() {
    const int m = 128, n = 64, k = 32;
    std::vector<float> a(m * k, 1.0f), b(k * n, 2.0f), c(m * n, 0.5f);
    float *d_a, *d_b, *d_c;
    CHECK_CUDA(cudaMalloc((void **)&d_a, a.size() * sizeof(float)));
    CHECK_CUDA(cudaMalloc((void **)&d_b, b.size() * sizeof(float)));
    CHECK_CUDA(cudaMalloc((void **)&d_c, c.size() * sizeof(float)));

    cublasHandle_t handle;
    cudaStream_t stream;
    CHECK_CUBLAS(cublasCreate(&handle));
    CHECK_CUDA(cudaStreamCreate(&stream));
    CHECK_CUBLAS(cublasSetStream(handle, stream));
    CHECK_CUBLAS(cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_HOST));
    CHECK_CUBLAS(cublasSetMatrix(m, k, sizeof(float), a.data(), m, d_a, m));
    CHECK_CUBLAS(cublasSetMatrix(k, n, sizeof(float), b.data(), k, d_b, k));
    CHECK_CUBLAS(cublasSetMatrix(m, n, sizeof(float), c.data(), m, d_c, m));

    const float alpha = 1.0f, beta = 2.0f;
    CHECK_CUBLAS(cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, m, n, k, &alpha, d_a, m, d_b, k, &beta, d_c, m));
    CHECK_CUBLAS(cublasSgemmStridedBatched(handle, CUBLAS_OP_N, CUBLAS_OP_N, m, n, k, &alpha, d_a, m, 0, d_b, k, 0,
                                           &beta, d_c, m, 0, 1));
    float norm = 0.0f;
    CHECK_CUBLAS(cublasSnrm2(handle, m * n, d_c, 1, &norm));
    CHECK_CUBLAS(cublasSaxpy(handle, m * k, &alpha, d_a, 1, d_b, 1));
    CHECK_CUBLAS(cublasStrsm(handle, CUBLAS_SIDE_LEFT, CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_N, CUBLAS_DIAG_NON_UNIT, k, n,
                             &alpha, d_a, m, d_b, k));
    CHECK_CUBLAS(cublasGetMatrix(m, n, sizeof(float), d_c, m, c.data(), m));
    CHECK_CUDA(cudaStreamSynchronize(stream));
    std::printf("norm %g, c[0] %g\n", norm, c[0]);

    CHECK_CUBLAS(cublasDestroy(handle));
    CHECK_CUDA(cudaStreamDestroy(stream));
    CHECK_CUDA(cudaFree(d_a));
    CHECK_CUDA(cudaFree(d_b));
    CHECK_CUDA(cudaFree(d_c));
    return 0;
}
