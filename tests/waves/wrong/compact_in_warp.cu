__global__ void compact_in_warp(const int *in, int *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    const unsigned lane = threadIdx.x % 32u;
    int pred = in[i] % 3 == 0;
    unsigned ballot = __ballot_sync(0xffffffffu, pred);
    unsigned below = ballot & ~(0xffffffffu << lane);
    if (pred) out[(i & ~31) + __popc(below)] = in[i];
}
