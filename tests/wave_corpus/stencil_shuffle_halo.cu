// Neighbours by shuffles, the two ends of each 32 from memory.
__global__ void stencil_shuffle_halo(const float *u, float *r, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int lane = threadIdx.x % 32;
    float c = i < n ? u[i] : 0.f;
    float left = __shfl_up_sync(0xffffffff, c, 1);
    float right = __shfl_down_sync(0xffffffff, c, 1);
    if (lane == 0) left = i > 0 ? u[i - 1] : 0.f;
    if (lane == 31) right = i + 1 < n ? u[i + 1] : 0.f;
    if (i < n) r[i] = 0.25f * left + 0.5f * c + 0.25f * right;
}
