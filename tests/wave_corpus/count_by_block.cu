__global__ void count_by_block(const float *x, int *counts, float lo, float hi)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int c = __syncthreads_count(x[i] >= lo && x[i] < hi);
    int odd = __syncthreads_or(i % 32 == 31 && x[i] < lo);
    if (threadIdx.x == 0) counts[blockIdx.x] = c * 2 + (odd != 0);
}
