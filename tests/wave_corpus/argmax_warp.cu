// Arg-max of each row of 32; the winner is told to every lane.
struct Pair { float value; int index; };

__device__ Pair better(Pair a, Pair b) { return b.value > a.value || (b.value == a.value && b.index < a.index) ? b : a; }

__global__ void argmax_warp(const float *scores, int *best, int *is_best)
{
    int lane = threadIdx.x & 31;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    Pair p = {scores[i], lane};
    for (int d = 16; d >= 1; d >>= 1) {
        Pair o;
        o.value = __shfl_down_sync(0xffffffff, p.value, d);
        o.index = __shfl_down_sync(0xffffffff, p.index, d);
        p = better(p, o);
    }
    int winner = __shfl_sync(0xffffffff, p.index, 0);
    if (lane == 0) best[i >> 5] = winner;
    is_best[i] = lane == winner;
}
