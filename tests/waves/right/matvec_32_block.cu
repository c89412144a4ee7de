template <int BLOCK>
__global__ void matvec_32_block(const int *in, int *out, int n) {
    __shared__ int x[BLOCK];
    if (threadIdx.x < BLOCK) x[threadIdx.x] = in[threadIdx.x];
    __syncthreads();
    int sum = 0;
    for (int k = 0; k < BLOCK; ++k) sum += x[k] * in[(threadIdx.x * BLOCK + k) & 255];
    out[threadIdx.x] = sum;
}
template __global__ void matvec_32_block<32>(const int *, int *, int);
