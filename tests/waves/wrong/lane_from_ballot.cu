__global__ void lane_from_ballot(const int *in, int *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int first = __ffs(__ballot_sync(0xffffffff, in[i] == 5)) - 1;
    out[i] = first < 0 ? -1 : __shfl_sync(0xffffffff, i, first);
}
