// Newton steps until all 32 lanes of a system have converged; the number of steps is the result.
__global__ void all_converged(const float *a, int *steps)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const float target = a[i] + 1.0f;
    float x = target;
    int n = 0;
    do {
        x = 0.5f * (x + target / x);
        ++n;
    } while (!__all_sync(0xffffffff, fabsf(x * x - target) < 1e-3f * target) && n < 40);
    steps[i] = n;
}
