// Blocks of 32 threads: the launch stands below.
__global__ void launch_in_file(const int *in, int *out)
{
    int v = in[blockIdx.x * 32 + threadIdx.x];
    for (int d = 1; d < 32; d *= 2) v = max(v, __shfl_xor_sync(0xffffffff, v, d));
    unsigned at = __ballot_sync(0xffffffff, in[blockIdx.x * 32 + threadIdx.x] == v);
    if (threadIdx.x == 0) out[blockIdx.x] = v * 64 + __ffs(at);
}

void launch(const int *in, int *out, int groups)
{
    launch_in_file<<<groups, 32>>>(in, out);
}
