// Each set bit of a vote, one after the other: what the lane has to tell goes to all.
__global__ void loop_nth_set(const int *x, int *sum)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, s = 0;
    for (unsigned left = __ballot_sync(0xffffffff, x[i] % 3 == 0); left; left &= left - 1)
        s = s * 3 + __shfl_sync(0xffffffff, x[i], __ffs(left) - 1);
    sum[i] = s;
}
