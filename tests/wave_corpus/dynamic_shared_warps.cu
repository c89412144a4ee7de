// A slot of dynamic shared memory for each 32 threads.
__global__ void dynamic_shared_warps(const float *x, float *extent, int n)
{
    extern __shared__ float slots[];
    float *lo = slots, *hi = slots + blockDim.x / 32;
    float a = x[threadIdx.x], b = a;
    for (int i = threadIdx.x; i < n; i += blockDim.x) { a = fminf(a, x[i]); b = fmaxf(b, x[i]); }
    for (int m = 1; m < 32; m <<= 1) {
        a = fminf(a, __shfl_xor_sync(0xffffffff, a, m));
        b = fmaxf(b, __shfl_xor_sync(0xffffffff, b, m));
    }
    if (threadIdx.x % 32 == 0) { lo[threadIdx.x / 32] = a; hi[threadIdx.x / 32] = b; }
    __syncthreads();
    if (threadIdx.x == 0) {
        for (int w = 1; w < blockDim.x / 32; ++w) { a = fminf(a, lo[w]); b = fmaxf(b, hi[w]); }
        extent[0] = a;
        extent[1] = b;
    }
}
