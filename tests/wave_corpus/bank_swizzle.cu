// An xor swizzle against bank conflicts: 32 banks.
__global__ void bank_swizzle(const int *in, int *out)
{
    __shared__ int s[32 * 32];
    int tx = threadIdx.x, ty = threadIdx.y;
    for (int r = ty; r < 32; r += blockDim.y)
        s[r * 32 + ((tx ^ r) % 32)] = in[blockIdx.x * 1024 + r * 32 + tx];
    __syncthreads();
    for (int r = ty; r < 32; r += blockDim.y)
        out[blockIdx.x * 1024 + r * 32 + tx] = s[tx * 32 + ((r ^ tx) % 32)];
}
