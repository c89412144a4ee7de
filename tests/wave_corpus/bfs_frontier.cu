// Append unvisited neighbours to the frontier, one atomic for each warp's worth.
__global__ void bfs_frontier(const int *neighbour, int *visited, int *frontier, int *tail, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int node = i < n ? neighbour[i] : -1;
    bool fresh = node >= 0 && atomicExch(&visited[node], 1) == 0;
    unsigned mask = __ballot_sync(0xffffffff, fresh);
    int total = __popc(mask), lane = threadIdx.x & 31, at = 0;
    if (lane == 0) at = atomicAdd(tail, total);
    at = __shfl_sync(0xffffffff, at, 0);
    if (fresh) frontier[at + __popc(mask << (31 - lane) << 1)] = node;
}
