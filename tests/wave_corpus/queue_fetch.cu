// Persistent warps: lane 0 fetches a chunk of 32 items, the others hear of it by a shuffle.
__global__ void queue_fetch(const int *items, int *done, int *head, int n)
{
    const int lane = threadIdx.x & (32 - 1);
    while (true) {
        int base;
        if (lane == 0)
            base = atomicAdd(head, 32);
        base = __shfl_sync(0xffffffff, base, 0);
        if (base >= n)
            return;
        if (base + lane < n)
            atomicAdd(&done[base + lane], items[base + lane] * 3 + 1);
    }
}
