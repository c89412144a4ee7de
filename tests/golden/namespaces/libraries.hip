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
    return ([&] { auto cg_value = x; for (unsigned int cg_step = tile.size() / 2; cg_step > 0; cg_step /= 2) cg_value = cg_value + tile.shfl_xor(cg_value, cg_step); return cg_value; }());
}

using namespace nvcuda;
__device__ void tensor() { wmma::fragment<wmma::accumulator, 16, 16, 16, float> acc; }
