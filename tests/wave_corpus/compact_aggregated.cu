// Stream compaction with one atomic a warp.
__device__ int atomicAggInc(int *ctr)
{
    unsigned int active = __activemask();
    int leader = __ffs(active) - 1;
    int lane = threadIdx.x & 31;
    int rank = __popc(active & ((1u << lane) - 1));
    int base = 0;
    if (lane == leader)
        base = atomicAdd(ctr, __popc(active));
    base = __shfl_sync(active, base, leader);
    return base + rank;
}

__global__ void compact_aggregated(const int *src, int *dst, int *count, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    if (src[i] > 0)
        dst[atomicAggInc(count)] = src[i];
}
