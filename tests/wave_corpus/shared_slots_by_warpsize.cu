// A slot of shared memory for each of 8 warps of 256 threads; the reader counts on all eight.
#define NUM_WARPS (256 / 32)
__global__ void shared_slots_by_warpsize(const int *in, int *out)
{
    __shared__ int slot[NUM_WARPS];
    int w = threadIdx.x / warpSize, l = threadIdx.x % warpSize;
    if (threadIdx.x < NUM_WARPS) slot[threadIdx.x] = 1 << 20;
    __syncthreads();
    int v = in[blockIdx.x * 256 + threadIdx.x];
    for (int o = warpSize >> 1; o; o >>= 1) v = min(v, __shfl_xor_sync(0xffffffff, v, o));
    if (l == 0) slot[w] = v;
    __syncthreads();
    if (threadIdx.x == 0) {
        int sum = 0;
        for (int k = 0; k < NUM_WARPS; ++k) sum += slot[k];
        out[blockIdx.x] = sum;
    }
}
