// Sort, reduce and scan with Thrust, with policies, a stream and a functor.
#include <cstdlib>
#include <iostream>
#include <thrust/copy.h>
#include <thrust/device_ptr.h>
#include <thrust/device_vector.h>
#include <thrust/execution_policy.h>
#include <thrust/functional.h>
#include <thrust/generate.h>
#include <thrust/host_vector.h>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/reduce.h>
#include <thrust/scan.h>
#include <thrust/sequence.h>
#include <thrust/sort.h>
#include <thrust/system/cuda/execution_policy.h>
#include <thrust/transform_reduce.h>

struct saxpy {
    const float a;
    __host__ __device__ float operator()(const float &x, const float &y) const { return a * x + y; }
};

struct square {
    __host__ __device__ float operator()(float x) const { return x * x; }
};

int main() {
    const int n = 1 << 20;
    thrust::host_vector<int> host(n);
    thrust::generate(host.begin(), host.end(), std::rand);
    thrust::device_vector<int> keys = host;
    thrust::device_vector<int> values(n);
    thrust::sequence(values.begin(), values.end());
    thrust::sort_by_key(keys.begin(), keys.end(), values.begin());

    cudaStream_t stream;
    cudaStreamCreate(&stream);
    thrust::sort(thrust::cuda::par.on(stream), keys.begin(), keys.end(), thrust::greater<int>());
    long sum = thrust::reduce(thrust::device, keys.begin(), keys.end(), 0L, thrust::plus<long>());
    thrust::exclusive_scan(thrust::cuda::par, values.begin(), values.end(), values.begin());

    thrust::device_vector<float> x(n, 1.0f), y(n, 2.0f);
    thrust::transform(x.begin(), x.end(), y.begin(), y.begin(), saxpy{3.0f});
    float norm = thrust::transform_reduce(y.begin(), y.end(), square(), 0.0f, thrust::plus<float>());
    float *raw = thrust::raw_pointer_cast(y.data());
    cudaMemsetAsync(raw, 0, n * sizeof(float), stream);
    thrust::device_ptr<float> pointer(raw);
    thrust::fill(pointer, pointer + n, 1.0f);
    auto first = thrust::make_zip_iterator(thrust::make_tuple(x.begin(), y.begin()));
    std::cout << thrust::get<0>(*first) << "\n";
    thrust::copy(keys.begin(), keys.end(), host.begin());
    cudaStreamSynchronize(stream);
    cudaStreamDestroy(stream);
    std::cout << sum << " " << norm << " " << host[0] << std::endl;
    return 0;
}
