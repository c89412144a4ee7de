#define WARP_SIZE 32
#define FULL_MASK 0xffffffffu

template <typename T>
__device__ T warpReduceSum(T val) {
#pragma unroll
    for (int mask = WARP_SIZE >> 1; mask > 0; mask >>= 1)
        val += __shfl_down_sync(FULL_MASK, val, mask);
    return val;
}

__global__ void rmsnorm(float *out, const float *in, const float *weight, int dim) {
    const int warps = blockDim.x / WARP_SIZE;
    const int row = blockIdx.x * warps + threadIdx.x / WARP_SIZE;
    const int lane = threadIdx.x & (WARP_SIZE - 1);
    const float *p = in + row * dim;
    float acc = 0.0f;
    for (int i = lane; i < dim; i += WARP_SIZE) acc += p[i] * p[i];
    acc = warpReduceSum(acc);
    float scale = 0.0f;
    if (lane == 0) scale = rsqrtf(acc / dim + 1e-5f);
    scale = __shfl_sync(FULL_MASK, scale, 0);
    for (int i = lane; i < dim; i += WARP_SIZE) out[row * dim + i] = p[i] * scale * weight[i];
}
