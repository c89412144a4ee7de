// Does a warp agree on its key? Then one lane handles all, else each its own.
__global__ void same_value_check(const int *key, int *cost)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int pred;
    __match_all_sync(0xffffffff, key[i], &pred);
    if (pred) {
        if (threadIdx.x % 32 == 0) atomicAdd(&cost[key[i]], 1);
    } else {
        atomicAdd(&cost[key[i]], 100);
    }
}
