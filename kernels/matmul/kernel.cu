#include <cuda_runtime.h>

// C = A * B with A of M x K, B of K x N, all row-major. One block computes one 16 x 16 tile of C.
__global__ void matmul(const float *A, const float *B, float *C, int M, int N, int K) {
    __shared__ float As[16][16];
    __shared__ float Bs[16][16];

    int row = blockIdx.y * blockDim.y + threadIdx.y;
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0.0f;

    for (int t = 0; t < (K + 15) / 16; ++t) {
        int a_col = t * 16 + threadIdx.x;
        int b_row = t * 16 + threadIdx.y;
        As[threadIdx.y][threadIdx.x] = (row < M && a_col < K) ? A[row * K + a_col] : 0.0f;
        Bs[threadIdx.y][threadIdx.x] = (b_row < K && col < N) ? B[b_row * N + col] : 0.0f;
        __syncthreads();

        for (int k = 0; k < 16; ++k) {
            sum += As[threadIdx.y][k] * Bs[k][threadIdx.x];
        }
        __syncthreads();
    }

    if (row < M && col < N) {
        C[row * N + col] = sum;
    }
}

// Device pointers in, work queued on the given stream.
cudaError_t matmul_launch(const float *A, const float *B, float *C, int M, int N, int K, cudaStream_t stream) {
    dim3 block(16, 16);
    dim3 grid((N + block.x - 1) / block.x, (M + block.y - 1) / block.y);
    matmul<<<grid, block, 0, stream>>>(A, B, C, M, N, K);
    return cudaGetLastError();
}
