// A histogram for each warp in shared memory, added up behind a barrier: which thread uses which copy does not matter.
#define BINS 64
#define WARPS 8
__global__ void privatised_histogram(const unsigned char *data, unsigned *histogram, int n)
{
    __shared__ unsigned h[WARPS][BINS];
    for (int k = threadIdx.x; k < WARPS * BINS; k += blockDim.x) h[k / BINS][k % BINS] = 0;
    __syncthreads();
    unsigned *mine = h[threadIdx.x >> 5];
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)
        atomicAdd(&mine[data[i] % BINS], 1u);
    __syncthreads();
    for (int b = threadIdx.x; b < BINS; b += blockDim.x) {
        unsigned s = 0;
        for (int w = 0; w < WARPS; ++w) s += h[w][b];
        atomicAdd(&histogram[b], s);
    }
}
