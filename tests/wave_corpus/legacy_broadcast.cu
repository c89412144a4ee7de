// CUDA 8's names: no masks.
__device__ float warp_total(float x)
{
    for (int s = 16; s; s >>= 1) x += __shfl_down(x, s);
    return __shfl(x, 0);
}

__global__ void legacy_broadcast(const float *in, float *share)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    share[i] = in[i] / warp_total(in[i]);
}
