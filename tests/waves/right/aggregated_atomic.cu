// However many lanes share the atomic, the count is the same.
__global__ void aggregated_atomic(const int *in, int *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (in[i] > 3) atomicAdd(out, 1);
    __syncthreads();
    if (threadIdx.x % 32 == 0) atomicAdd(out + 1, in[i]);
}
