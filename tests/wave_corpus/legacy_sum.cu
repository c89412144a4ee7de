// CUDA 8's names, and lane 0 of each 32.
__global__ void legacy_sum(const int *in, int *out)
{
    int x = in[blockIdx.x * blockDim.x + threadIdx.x];
    x += __shfl_down(x, 16);
    x += __shfl_down(x, 8);
    x += __shfl_down(x, 4);
    x += __shfl_down(x, 2);
    x += __shfl_down(x, 1);
    if (!(threadIdx.x & 31)) atomicAdd(out + blockIdx.x, x);
}
