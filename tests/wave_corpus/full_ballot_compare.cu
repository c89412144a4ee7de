// All 32 bits of a vote: `all`, spelled out.
__global__ void full_ballot_compare(const float *v, float *o)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (__ballot_sync(0xffffffff, v[i] >= 0.0f) == 0xffffffff)
        o[i] = sqrtf(v[i]);
    else
        o[i] = fabsf(v[i]) * 0.5f;
}
