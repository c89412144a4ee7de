// The place of each kept item among those of its warp.
__global__ void rank_in_warp(const int *in, int *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int lane = threadIdx.x & 31;
    bool keep = in[i] > 3;
    unsigned mask = __ballot_sync(~0u, keep);
    out[i] = keep ? __popc(mask & ((1u << lane) - 1)) : -1;
}
