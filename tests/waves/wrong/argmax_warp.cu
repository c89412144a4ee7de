struct Best { int value, index; };
__device__ Best better(Best a, int offset) {
    int value = __shfl_xor_sync(0xffffffff, a.value, offset), index = __shfl_xor_sync(0xffffffff, a.index, offset);
    return value > a.value || (value == a.value && index < a.index) ? Best{value, index} : a;
}
__global__ void argmax_warp(const int *in, int *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    Best best{in[i] * 7 % 31, i};
    for (int d = warpSize >> 1; d; d >>= 1) best = better(best, d);
    if (threadIdx.x % 32 == 0) out[i / 32] = best.index;
}
