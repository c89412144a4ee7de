enum { LANES = 32 };
__global__ void reverse_lanes(const int *in, int *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int lane = threadIdx.x % LANES;
    out[i] = __shfl_sync(0xffffffff, in[i], LANES - 1 - lane);
}
