__global__ void highest_lane(const int *in, int *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned mask = __ballot_sync(0xffffffff, in[i] > 6);
    out[i] = mask ? 31 - __clz(mask) : -1;
}
