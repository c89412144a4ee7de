// The lowest lane that still has work handles it for its whole warp, one task a round.
__global__ void lock_leader(const int *work, int *order, int *rounds)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x & 31;
    bool pending = work[i] != 0;
    int round = 0;
    unsigned todo;
    while ((todo = __ballot_sync(0xffffffff, pending)) != 0) {
        int leader = __ffs(todo) - 1;
        if (lane == leader) {
            order[i] = round;
            pending = false;
        }
        ++round;
    }
    if (lane == 0) rounds[i / 32] = round;
}
