// Each lane adds up what its 32 neighbours around the ring hold, in turn, weighted by distance.
__global__ void rotate_ring(const int* __restrict__ a, int* __restrict__ r)
{
    unsigned lane = threadIdx.x & 31u;
    int mine = a[blockIdx.x * blockDim.x + threadIdx.x];
    int sum = 0;
    for (int step = 0; step < 32; ++step) {
        sum += (step + 1) * mine;
        mine = __shfl_sync(0xFFFFFFFF, mine, (lane + 1) & 31);
    }
    r[blockIdx.x * blockDim.x + threadIdx.x] = sum * 7 + mine;
}
