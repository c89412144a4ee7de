// Reductions in a lambda, the result of lane 31 for all.
__global__ void lane_lambda(const int *in, int *out)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x & 31;
    auto inclusive = [lane](int v) {
        for (int d = 1; d < 32; d += d) {
            const int n = __shfl_up_sync(0xffffffff, v, d);
            v += lane >= d ? n : 0;
        }
        return v;
    };
    const int sum = inclusive(in[i]);
    out[i] = __shfl_sync(0xffffffff, sum, 31) - sum;
}
