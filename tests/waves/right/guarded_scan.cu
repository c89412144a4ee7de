__global__ void guarded_scan(const int *in, int *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int lane = threadIdx.x & 31, sum = in[i];
    for (int d = 1; d < 32; d <<= 1) {
        int other = __shfl_up_sync(0xffffffff, sum, d);
        if (lane >= d) sum += other;
    }
    out[i] = sum;
}
