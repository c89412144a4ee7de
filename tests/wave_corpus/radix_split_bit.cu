// One bit of a radix sort inside a warp: zeros to the front, ones behind, stable.
__device__ unsigned lane_mask_lt(unsigned lane) { return (1u << lane) - 1u; }

__global__ void radix_split_bit(const unsigned *keys, unsigned *out, int bit)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned lane = threadIdx.x & 31;
    unsigned base = i - lane;
    unsigned key = keys[i];
    bool one = (key >> bit) & 1u;
    unsigned ones = __ballot_sync(0xffffffff, one);
    unsigned zeros = ~ones;
    unsigned pos = one ? __popc(zeros) + __popc(ones & lane_mask_lt(lane)) : __popc(zeros & lane_mask_lt(lane));
    out[base + pos] = key;
}
