__global__ void rotate_lanes(const int *in, int *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int lane = threadIdx.x & 31;
    out[i] = __shfl_sync(0xffffffff, in[i], (lane + 1) & 31);
}
