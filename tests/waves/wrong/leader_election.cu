// The lowest active lane of each warp counts for all.
__global__ void leader_election(const int *in, int *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (in[i] > 2) {
        unsigned active = __activemask();
        int leader = __ffs(active) - 1;
        if ((threadIdx.x & 31) == leader) atomicAdd(out, __popc(active)), atomicAdd(out + 1, 1);
    }
}
