// Pack predicates: one 32-bit word for each 32 threads.
__global__ void ballot_bitmap(const int *values, unsigned int *bitmap, int threshold, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int keep = i < n ? values[i] > threshold : 0;
    unsigned int word = __ballot_sync(0xffffffffu, keep);
    if ((threadIdx.x & 31) == 0)
        bitmap[i >> 5] = word;
}
