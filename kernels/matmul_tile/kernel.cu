#include <cuda_runtime.h>

// C = A * B, row-major, in square tiles whose size is a choice of the build: what is fastest depends on the GPU.
#ifndef TILE
#define TILE 16
#endif

__global__ void __launch_bounds__(TILE * TILE)
matmul_tile(const float *__restrict__ A, const float *__restrict__ B, float *__restrict__ C, int M, int N, int K)
{
    __shared__ float a[TILE][TILE];
    __shared__ float b[TILE][TILE + 1];

    const int row = blockIdx.y * TILE + threadIdx.y;
    const int col = blockIdx.x * TILE + threadIdx.x;
    float sum = 0.0f;

    for (int start = 0; start < K; start += TILE) {
        a[threadIdx.y][threadIdx.x] = row < M && start + threadIdx.x < K ? A[row * K + start + threadIdx.x] : 0.0f;
        b[threadIdx.y][threadIdx.x] = start + threadIdx.y < K && col < N ? B[(start + threadIdx.y) * N + col] : 0.0f;
        __syncthreads();
#pragma unroll
        for (int k = 0; k < TILE; ++k)
            sum = fmaf(a[threadIdx.y][k], b[k][threadIdx.x], sum);
        __syncthreads();
    }
    if (row < M && col < N) C[row * N + col] = sum;
}

cudaError_t matmul_tile_launch(const float *A, const float *B, float *C, int M, int N, int K, cudaStream_t stream)
{
    const dim3 grid((N + TILE - 1) / TILE, (M + TILE - 1) / TILE);
    matmul_tile<<<grid, dim3(TILE, TILE), 0, stream>>>(A, B, C, M, N, K);
    return cudaGetLastError();
}
