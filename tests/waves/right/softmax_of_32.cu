__global__ void softmax_of_32(const int *in, int *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int best = in[i];
#pragma unroll
    for (int mask = 16; mask >= 1; mask >>= 1) best = max(best, __shfl_xor_sync(0xffffffff, best, mask));
    int sum = 1 << (in[i] - best + 16);
#pragma unroll
    for (int mask = 16; mask >= 1; mask >>= 1) sum += __shfl_xor_sync(0xffffffff, sum, mask);
    out[i] = sum;
}
