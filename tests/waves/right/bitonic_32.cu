__global__ void bitonic_32(const int *in, int *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int lane = threadIdx.x % 32, v = in[i];
    for (int size = 2; size <= 32; size *= 2)
        for (int stride = size / 2; stride > 0; stride /= 2) {
            int other = __shfl_xor_sync(0xffffffff, v, stride);
            bool up = (lane & size) == 0 || size == 32, low = (lane & stride) == 0;
            v = (low == up) ? min(v, other) : max(v, other);
        }
    out[i] = v;
}
