// A vote only to save atomics: the flag is the same whoever sets it.
__global__ void any_sets_flag(const int *x, int *changed, int limit)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    bool over = x[i] > limit;
    if (__any_sync(0xffffffff, over)) {
        if ((threadIdx.x & 31) == 0) *changed = 1;
    }
}
