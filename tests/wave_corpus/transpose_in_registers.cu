// An 8x4 tile held one element a lane becomes 4x8.
__global__ void transpose_in_registers(const int *in, int *out)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    int lane = threadIdx.x & 31;
    int source = (lane % 8) * 4 + lane / 8;
    out[t] = __shfl_sync(0xffffffff, in[t], source);
}
