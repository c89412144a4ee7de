// Bitonic sort of 32 keys held one a lane.
__device__ int swap_if(int x, int mask, bool dir)
{
    int y = __shfl_xor_sync(0xffffffff, x, mask);
    return (x < y) == dir ? y : x;
}

__global__ void bitonic_warp_sort(int *keys)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int lane = threadIdx.x & 31;
    int x = keys[i];
    for (int k = 2; k <= 32; k *= 2)
        for (int j = k / 2; j > 0; j /= 2) {
            bool up = k == 32 || (lane & k) == 0;
            x = swap_if(x, j, ((lane & j) != 0) == up);
        }
    keys[i] = x;
}
