// Any leader will do.
__global__ void elect_by_ballot(const int *in, int *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    bool hit = in[i] == 3;
    if (hit) atomicAdd(out + 1, 1);
    if (__all_sync(0xffffffff, in[i] < 100)) out[2] = 7;
}
