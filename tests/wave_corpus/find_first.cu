// Index of the first hit in each segment of 32, or -1.
__global__ void find_first(const char *text, int *first, char wanted)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned hits = __ballot_sync(0xffffffff, text[i] == wanted);
    int segment = i / 32;
    if (i % 32 == 0)
        first[segment] = hits ? segment * 32 + __ffs(hits) - 1 : -1;
}
