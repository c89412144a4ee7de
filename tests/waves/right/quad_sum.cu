__global__ void quad_sum(const int *in, int *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int v = in[i];
    v += __shfl_down_sync(0xffffffff, v, 2, 4);
    v += __shfl_down_sync(0xffffffff, v, 1, 4);
    if (threadIdx.x % 4 == 0) out[i / 4] = v;
}
