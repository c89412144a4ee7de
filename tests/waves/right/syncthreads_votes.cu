__global__ void syncthreads_votes(const int *in, int *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int many = __syncthreads_count(in[i] > 4), any = __syncthreads_or(in[i] == 9);
    out[i] = many * 32 + any;
}
