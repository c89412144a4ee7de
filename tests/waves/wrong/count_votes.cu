__global__ void count_votes(const int *in, int *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int votes = __popc(__ballot_sync(0xffffffff, in[i] & 1));
    out[i] = votes;
}
