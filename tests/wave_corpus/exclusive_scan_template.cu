template <int LOG>
__device__ int exclusive(int v, int *total)
{
    constexpr int N = 1 << LOG;
    const int lane = threadIdx.x & (N - 1);
    int inc = v;
    for (int k = 0; k < LOG; ++k) {
        int o = __shfl_up_sync(0xffffffff, inc, 1 << k);
        if (lane >= (1 << k)) inc += o;
    }
    *total = __shfl_sync(0xffffffff, inc, N - 1);
    return inc - v;
}

__global__ void exclusive_scan_template(const int *counts, int *offsets, int *totals)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, total;
    offsets[i] = exclusive<5>(counts[i], &total);
    totals[i >> 5] = total;
}
