// Maximum of 8-bit numbers, bit by bit by votes: lanes without the bit drop out.
__global__ void minmax_ballot_bits(const unsigned char *x, int *maximum)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned alive = 0xffffffff;
    int lane = threadIdx.x % 32, result = 0;
    for (int bit = 7; bit >= 0; --bit) {
        unsigned with = __ballot_sync(0xffffffff, (x[i] >> bit) & 1) & alive;
        if (with) {
            alive = with;
            result |= 1 << bit;
        }
    }
    if ((alive >> lane) & 1) maximum[i / 32] = result;
}
