#define TILE 32
__global__ void transpose_tile(const int *in, int *out, int n) {
    __shared__ int tile[TILE][TILE + 1];
    for (int k = threadIdx.x; k < 256; k += blockDim.x) tile[k / TILE][k % TILE] = in[k];
    __syncthreads();
    for (int k = threadIdx.x; k < 256; k += blockDim.x) out[k] = tile[k % 8][k / 8 % TILE];
}
