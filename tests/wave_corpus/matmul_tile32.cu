template <int TILE>
__global__ void matmul_tiled(const float *A, const float *B, float *C, int n)
{
    __shared__ float a[TILE][TILE], b[TILE][TILE];
    int r = blockIdx.y * TILE + threadIdx.y, c = blockIdx.x * TILE + threadIdx.x;
    float acc = 0.f;
    for (int t = 0; t < n / TILE; ++t) {
        a[threadIdx.y][threadIdx.x] = A[r * n + t * TILE + threadIdx.x];
        b[threadIdx.y][threadIdx.x] = B[(t * TILE + threadIdx.y) * n + c];
        __syncthreads();
#pragma unroll 32
        for (int k = 0; k < TILE; ++k) acc += a[threadIdx.y][k] * b[k][threadIdx.x];
        __syncthreads();
    }
    C[r * n + c] = acc;
}
