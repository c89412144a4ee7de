// The vote goes through functions, a typedef and a struct.
typedef unsigned int lanemask_t;

struct Votes {
    lanemask_t yes, no;
    __device__ int count() const { return __popc(yes); }
    __device__ bool unanimous() const { return yes == 0xffffffffu || no == 0xffffffffu; }
};

__device__ Votes vote(bool p)
{
    Votes v;
    v.yes = __ballot_sync(0xffffffffu, p);
    v.no = ~v.yes;
    return v;
}

__global__ void helper_returns_mask(const int *x, int *count, int *unanimous)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    Votes v = vote(x[i] < 40);
    if ((i & 31) == 0) {
        count[i >> 5] = v.count();
        unanimous[i >> 5] = v.unanimous();
    }
}
