// Goes on as long as a lane of the warp is not done; the steps are counted.
__global__ void vote_loop(const int *in, int *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int left = in[i] + ((threadIdx.x & 32) ? 7 : 0), steps = 0;
    while (__any_sync(0xffffffff, left > 0)) {
        --left;
        ++steps;
    }
    out[i] = steps;
}
