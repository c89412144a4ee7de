// Heads of runs of equal keys; the first lane compares with itself.
#define SHFL_UP(v) __shfl_up_sync(0xffffffffu, (v), 1)
__global__ void run_heads(const int *key, unsigned char *head)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int k = key[i];
    head[i] = k != SHFL_UP(k) ? 1 : 0;
}
