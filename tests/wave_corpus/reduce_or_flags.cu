// Flags together by a reduction: or is or, however many.
__global__ void reduce_or_flags(const unsigned *flags, unsigned *all)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned f = __reduce_max_sync(0xffffffff, flags[i]);
    if (threadIdx.x % 32 == 0) atomicMax(all, f);
}
