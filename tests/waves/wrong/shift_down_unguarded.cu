__global__ void shift_down_unguarded(const int *in, int *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int next = __shfl_down_sync(0xffffffff, in[i], 1);
    out[i] = next - in[i];
}
