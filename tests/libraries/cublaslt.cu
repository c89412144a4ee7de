// One matrix product with a bias and a ReLU behind it, through cublasLt.
#include <cstdio>
#include <cstdlib>
#include <cublasLt.h>
#include <cuda_fp16.h>
#include <cuda_runtime.h>

static void check(cublasStatus_t status, const char *what) {
    if (status != CUBLAS_STATUS_SUCCESS) {
        std::fprintf(stderr, "%s failed with %d\n", what, static_cast<int>(status));
        std::exit(1);
    }
}

void matmul(cublasLtHandle_t handle, int m, int n, int k, const half *a, const half *b, const half *bias, half *d,
            void *workspace, size_t workspace_size, cudaStream_t stream) {
    cublasLtMatmulDesc_t operation = nullptr;
    cublasLtMatrixLayout_t layout_a = nullptr, layout_b = nullptr, layout_d = nullptr;
    cublasLtMatmulPreference_t preference = nullptr;
    cublasOperation_t transposed = CUBLAS_OP_T, plain = CUBLAS_OP_N;
    cublasLtEpilogue_t epilogue = CUBLASLT_EPILOGUE_RELU_BIAS;
    const float alpha = 1.0f, beta = 0.0f;

    check(cublasLtMatmulDescCreate(&operation, CUBLAS_COMPUTE_32F, CUDA_R_32F), "desc");
    check(cublasLtMatmulDescSetAttribute(operation, CUBLASLT_MATMUL_DESC_TRANSA, &transposed, sizeof(transposed)), "transa");
    check(cublasLtMatmulDescSetAttribute(operation, CUBLASLT_MATMUL_DESC_TRANSB, &plain, sizeof(plain)), "transb");
    check(cublasLtMatmulDescSetAttribute(operation, CUBLASLT_MATMUL_DESC_EPILOGUE, &epilogue, sizeof(epilogue)), "epilogue");
    check(cublasLtMatmulDescSetAttribute(operation, CUBLASLT_MATMUL_DESC_BIAS_POINTER, &bias, sizeof(bias)), "bias");
    check(cublasLtMatrixLayoutCreate(&layout_a, CUDA_R_16F, k, m, k), "layout a");
    check(cublasLtMatrixLayoutCreate(&layout_b, CUDA_R_16F, k, n, k), "layout b");
    check(cublasLtMatrixLayoutCreate(&layout_d, CUDA_R_16F, m, n, m), "layout d");

    check(cublasLtMatmulPreferenceCreate(&preference), "preference");
    check(cublasLtMatmulPreferenceSetAttribute(preference, CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES, &workspace_size,
                                               sizeof(workspace_size)), "workspace");
    int found = 0;
    cublasLtMatmulHeuristicResult_t heuristic = {};
    check(cublasLtMatmulAlgoGetHeuristic(handle, operation, layout_a, layout_b, layout_d, layout_d, preference, 1,
                                         &heuristic, &found), "heuristic");
    if (found == 0) {
        std::fprintf(stderr, "no algorithm\n");
        std::exit(1);
    }
    check(cublasLtMatmul(handle, operation, &alpha, a, layout_a, b, layout_b, &beta, d, layout_d, d, layout_d,
                         &heuristic.algo, workspace, workspace_size, stream), "matmul");
    cublasLtMatmulPreferenceDestroy(preference);
    cublasLtMatrixLayoutDestroy(layout_d);
    cublasLtMatrixLayoutDestroy(layout_b);
    cublasLtMatrixLayoutDestroy(layout_a);
    cublasLtMatmulDescDestroy(operation);
}

int main() {
    const int m = 64, n = 32, k = 128;
    const size_t workspace_size = 1 << 20;
    cublasLtHandle_t handle;
    half *a, *b, *bias, *d;
    void *workspace;
    check(cublasLtCreate(&handle), "create");
    cudaMalloc(&a, m * k * sizeof(half));
    cudaMalloc(&b, n * k * sizeof(half));
    cudaMalloc(&bias, m * sizeof(half));
    cudaMalloc(&d, m * n * sizeof(half));
    cudaMalloc(&workspace, workspace_size);
    matmul(handle, m, n, k, a, b, bias, d, workspace, workspace_size, nullptr);
    cudaDeviceSynchronize();
    cublasLtDestroy(handle);
    return 0;
}
