__global__ void vote_count_direct(const int *age, int *adults, int n)
{
    int i = blockDim.x * blockIdx.x + threadIdx.x;
    bool adult = i < n && age[i] >= 18;
    int c = __popc(__ballot_sync(0xffffffff, adult));
    if ((threadIdx.x & 31) == 0) atomicAdd(adults, c);
}
