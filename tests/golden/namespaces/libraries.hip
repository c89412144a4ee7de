// golden: no-compile
#include <hipcub/hipcub.hpp>
#include <hip/hip_runtime.h>
#include <thrust/device_vector.h>
#include <thrust/execution_policy.h>
#include <thrust/sort.h>

namespace cubes { inline int volume(int x) { return x * x * x; } }
namespace own { namespace cub { constexpr int kItems = 4; } namespace cuda { inline int version() { return 1; } } }
namespace blk = ::hipcub;
namespace cg = cooperative_groups;

template <typename T, int W>
__global__ void sum(const T *in, T *out) {
    using Reduce = ::hipcub::BlockReduce<T, W, hipcub::BLOCK_REDUCE_RAKING>;
    __shared__ typename Reduce::TempStorage room;
    T s = Reduce(room).Sum(in[hipThreadIdx_x]);
    if (hipThreadIdx_x == 0) out[0] = s * cubes::volume(own::cub::kItems) + own::cuda::version();
}

void all(thrust::device_vector<int> &v, hipStream_t s, void *tmp, size_t bytes, int *in, int *out, int cub) {
    blk::DeviceReduce::Sum(tmp, bytes, in, out, cub, s);
    thrust::sort(thrust::hip::par.on(s), v.begin(), v.end());
    thrust::sort(thrust::device, v.begin(), v.end());
}

__device__ int group_sum(int x) {
    auto tile = cg::tiled_partition<32>(cg::this_thread_block());
    return [&] { auto r = x; for (unsigned int n = tile.size() / 2; n > 0; n /= 2) r = r + tile.shfl_xor(r, n); return r; }();
}

using namespace nvcuda;
__device__ void tensor() { wmma::fragment<wmma::accumulator, 16, 16, 16, float> acc; }
