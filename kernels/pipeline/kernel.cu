#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cuda_runtime.h>
#include <cuda_profiler_api.h>

#define CUDA_CHECK(expr)                                                                    \
  do {                                                                                      \
    const cudaError_t e = (expr);                                                           \
    if (cudaSuccess != e) {                                                                 \
      std::fprintf(stderr, "%s failed: %s (%s)\n", #expr, cudaGetErrorName(e),              \
                   cudaGetErrorString(e));                                                  \
      std::abort();                                                                         \
    }                                                                                       \
  } while (false)

constexpr int kStreams = 4;
constexpr int kThreads = 256;

__global__ void normalise(float4 *v, int n) {
  const int i = blockDim.x * blockIdx.x + threadIdx.x;
  if (i >= n) return;
  float4 p = v[i];
  const float scale = rsqrtf(p.x * p.x + p.y * p.y + p.z * p.z + p.w * p.w + 1e-12f);
  v[i] = make_float4(p.x * scale, p.y * scale, p.z * scale, p.w * scale);
}

// Upload, compute and download overlap: each stream takes every fourth chunk. Returns milliseconds.
float normalise_in_chunks(float4 *host, int n, int chunk) {
  cudaStream_t stream[kStreams];
  cudaEvent_t start, stop;
  float4 *pinned = nullptr, *device[kStreams];

  CUDA_CHECK(cudaMallocHost((void **)&pinned, n * sizeof(float4)));
  std::memcpy(pinned, host, n * sizeof(float4));
  CUDA_CHECK(cudaEventCreate(&start));
  CUDA_CHECK(cudaEventCreate(&stop));
  for (int s = 0; s < kStreams; ++s) {
    CUDA_CHECK(cudaStreamCreateWithFlags(&stream[s], cudaStreamNonBlocking));
    CUDA_CHECK(cudaMalloc(&device[s], chunk * sizeof(float4)));
  }

  CUDA_CHECK(cudaProfilerStart());
  CUDA_CHECK(cudaEventRecord(start, 0));
  for (int first = 0, s = 0; first < n; first += chunk, s = (s + 1) % kStreams) {
    const int count = std::min(chunk, n - first);
    const size_t bytes = count * sizeof(float4);
    CUDA_CHECK(cudaMemcpyAsync(device[s], pinned + first, bytes, cudaMemcpyHostToDevice, stream[s]));
    normalise<<<(count + kThreads - 1) / kThreads, kThreads, 0, stream[s]>>>(device[s], count);
    CUDA_CHECK(cudaGetLastError());
    CUDA_CHECK(cudaMemcpyAsync(pinned + first, device[s], bytes, cudaMemcpyDeviceToHost, stream[s]));
  }
  for (cudaStream_t &s : stream) CUDA_CHECK(cudaStreamSynchronize(s));
  CUDA_CHECK(cudaEventRecord(stop, 0));
  CUDA_CHECK(cudaEventSynchronize(stop));
  CUDA_CHECK(cudaProfilerStop());

  float elapsed = 0.f;
  CUDA_CHECK(cudaEventElapsedTime(&elapsed, start, stop));
  std::memcpy(host, pinned, n * sizeof(float4));

  for (int s = 0; s < kStreams; ++s) {
    CUDA_CHECK(cudaFree(device[s]));
    CUDA_CHECK(cudaStreamDestroy(stream[s]));
  }
  CUDA_CHECK(cudaEventDestroy(start));
  CUDA_CHECK(cudaEventDestroy(stop));
  CUDA_CHECK(cudaFreeHost(pinned));
  return elapsed;
}
