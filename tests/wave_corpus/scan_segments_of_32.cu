// Inclusive scan of each 32 values: the guard keeps a lane from its left neighbours' group.
__global__ void scan_segments_of_32(const int *in, int *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int lane = threadIdx.x & 31;
    int v = in[i];
    for (int d = 1; d < 32; d <<= 1) {
        int u = __shfl_up_sync(0xffffffff, v, d);
        if (lane >= d) v += u;
    }
    out[i] = v;
}
