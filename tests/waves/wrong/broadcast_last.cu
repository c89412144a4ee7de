#define FULL 0xffffffffu
__global__ void broadcast_last(const int *in, int *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int last = __shfl_sync(FULL, in[i], 31);
    out[i] = in[i] - last;
}
