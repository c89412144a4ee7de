// Every lane uses its suffix, not the first alone.
__global__ void down_sum_all_lanes(const int *in, int *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int v = in[i];
    for (int offset = 16; offset > 0; offset /= 2) v += __shfl_down_sync(0xffffffff, v, offset);
    out[i] = v;
}
