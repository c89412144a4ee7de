// blockDim is 256; 32 items a step.
__global__ void block_of_32(const int *in, int *out, int n) {
    for (int base = 0; base < 256; base += 32)
        if (threadIdx.x < 32) out[base + threadIdx.x] = in[base + threadIdx.x] * 2;
}
