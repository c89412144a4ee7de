// The last warp's tree through shared memory; each step reads before the next one writes.
__device__ void finish(int *s, unsigned t)
{
    int v = s[t];
    v += s[t + 32]; __syncwarp(); s[t] = v; __syncwarp();
    v += s[t + 16]; __syncwarp(); s[t] = v; __syncwarp();
    v += s[t + 8];  __syncwarp(); s[t] = v; __syncwarp();
    v += s[t + 4];  __syncwarp(); s[t] = v; __syncwarp();
    v += s[t + 2];  __syncwarp(); s[t] = v; __syncwarp();
    v += s[t + 1];  __syncwarp(); s[t] = v;
}

template <unsigned BLOCK>
__global__ void syncwarp_tree(const int *in, int *out)
{
    __shared__ int s[BLOCK];
    const unsigned t = threadIdx.x;
    s[t] = in[blockIdx.x * BLOCK + t];
    __syncthreads();
    if (BLOCK >= 128) { if (t < 64) s[t] += s[t + 64]; __syncthreads(); }
    if (t < 32) finish(s, t);
    if (t == 0) out[blockIdx.x] = s[0];
}
