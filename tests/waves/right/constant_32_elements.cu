#define ITEMS 32
__global__ void constant_32_elements(const int *in, int *out, int n) {
    int regs[ITEMS / 8];
    for (int k = 0; k < ITEMS / 8; ++k) regs[k] = in[(threadIdx.x + k * 32) & 255];
    int sum = 0;
    for (int k = 0; k < ITEMS / 8; ++k) sum += regs[k];
    out[threadIdx.x] = sum;
}
