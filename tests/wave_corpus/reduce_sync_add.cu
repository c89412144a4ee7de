__global__ void reduce_sync_add(const unsigned *v, unsigned *sums, unsigned *tops)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned s = __reduce_add_sync(0xffffffff, v[i]);
    unsigned m = __reduce_max_sync(0xffffffff, v[i]);
    if (i % 32 == 0) {
        sums[i / 32] = s;
        tops[i / 32] = m;
    }
}
