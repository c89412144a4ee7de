// How many groups of 32 hold a value over the limit.
__global__ void any_collision(const float *energy, int *hot, float limit)
{
    int i = threadIdx.x + blockIdx.x * blockDim.x;
    if (__any_sync(0xffffffff, energy[i] > limit)) {
        if (threadIdx.x % 32 == 0)
            atomicAdd(hot, 1);
    }
}
