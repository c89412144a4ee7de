// Compact inside each warp by a vote, in shared memory, before the block writes out.
__global__ void quad_lists(const int *v, int *packed, int *lengths)
{
    __shared__ int s[128];
    const unsigned full = 0xffffffff;
    int tid = threadIdx.x, wid = tid / 32, lane = tid % 32;
    int x = v[blockIdx.x * 128 + tid];
    bool take = (x & 3) == 1;
    unsigned b = __ballot_sync(full, take);
    s[tid] = -1;
    __syncwarp();
    if (take) s[wid * 32 + __popc(b & ((1u << lane) - 1u))] = x;
    if (lane == 0) lengths[blockIdx.x * 4 + wid] = __popc(b);
    __syncthreads();
    packed[blockIdx.x * 128 + tid] = s[tid];
}
