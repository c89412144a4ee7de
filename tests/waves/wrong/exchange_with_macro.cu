#define WARP_MASK 0xffffffff
#define BCAST(v, src) __shfl_sync(WARP_MASK, (v), (src))
__global__ void exchange_with_macro(const int *in, int *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = BCAST(in[i], 3) * 10 + BCAST(in[i], 17);
}
