// A vote as a truth value, and what follows from it is the same for all who could have voted.
__global__ void ballot_as_bool(const int *x, int *error)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (__ballot_sync(0xffffffff, x[i] < 0) != 0 && threadIdx.x % 32 == 0)
        atomicOr(error, 1);
}
