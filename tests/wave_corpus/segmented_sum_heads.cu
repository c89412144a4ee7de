// Segmented reduction with head flags; __clz of the heads below gives a segment's start.
__global__ void segmented_sum_heads(const int *flag, const int *value, int *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int lane = i & 31;
    unsigned heads = __ballot_sync(0xffffffff, flag[i]);
    heads |= 1u;
    unsigned upto = heads & (0xffffffffu >> (31 - lane));
    int start = 31 - __clz(upto);
    int v = value[i];
    for (int d = 1; d < 32; d <<= 1) {
        int u = __shfl_up_sync(0xffffffff, v, d);
        if (lane - d >= start) v += u;
    }
    out[i] = v;
}
