__global__ void warp_histogram_bits(const int *in, int *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int lane = threadIdx.x & 31, mine = 0;
    for (int bin = 0; bin < 10; ++bin) {
        unsigned has = __ballot_sync(0xffffffff, in[i] == bin);
        if (lane == bin) mine = __popc(has);
    }
    if (lane < 10) out[(i / 32) * 10 + lane] = mine;
}
