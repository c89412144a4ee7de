__global__ void shared_histogram(const int *in, int *out, int n) {
    __shared__ int bins[8][32];
    int warp = threadIdx.x >> 5;
    if (threadIdx.x < 32)
        for (int w = 0; w < 8; ++w) bins[w][threadIdx.x] = 0;
    __syncthreads();
    atomicAdd(&bins[warp][in[blockIdx.x * blockDim.x + threadIdx.x]], 1);
    __syncthreads();
    if (threadIdx.x < 32) {
        int sum = 0;
        for (int w = 0; w < 8; ++w) sum += bins[w][threadIdx.x];
        atomicAdd(out + threadIdx.x, sum);
    }
}
