// Neighbours in pairs: the whole thread index, one bit turned.
__global__ void pair_exchange(const int *in, int *out)
{
    int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    int other = __shfl_sync(0xffffffff, in[i], t ^ 1);
    out[i] = t & 1 ? in[i] - other : in[i] + other;
}
