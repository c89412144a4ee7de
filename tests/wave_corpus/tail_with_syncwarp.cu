// Tree in shared memory; the last 32 threads go on without the block's barrier.
__global__ void tail_with_syncwarp(const int *in, int *out)
{
    __shared__ int s[256];
    unsigned tid = threadIdx.x;
    s[tid] = in[blockIdx.x * 256 + tid];
    __syncthreads();
    for (unsigned k = 128; k > 32; k >>= 1) {
        if (tid < k) s[tid] += s[tid + k];
        __syncthreads();
    }
    if (tid < 32) {
        int v = s[tid] + s[tid + 32];
        for (int k = 16; k > 0; k >>= 1)
            v += __shfl_down_sync(0xffffffff, v, k);
        if (tid == 0) out[blockIdx.x] = v;
    }
}
