// A scan as a class, in the manner of libraries: the number of lanes is its parameter.
template <typename T, int LANES = 32>
class WarpScan {
public:
    static constexpr int kLanes = LANES;
    __device__ WarpScan() : lane_(threadIdx.x % LANES) {}
    __device__ T inclusive(T x, T &aggregate) const
    {
#pragma unroll
        for (int d = 1; d < LANES; d <<= 1) {
            T y = __shfl_up_sync(0xffffffff, x, d);
            if (lane_ >= d) x = x + y;
        }
        aggregate = __shfl_sync(0xffffffff, x, LANES - 1);
        return x;
    }

private:
    int lane_;
};

__global__ void class_warp_scan(const int *in, int *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, all;
    int s = WarpScan<int>().inclusive(in[i], all);
    out[i] = 1000 * all + s;
}
