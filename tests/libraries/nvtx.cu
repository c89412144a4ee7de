// Ranges and marks for a profiler, with NVTX.
#include <cstdio>
#include <cuda_profiler_api.h>
#include <cuda_runtime.h>
#include <nvtx3/nvToolsExt.h>

class Range {
public:
    explicit Range(const char *name) { nvtxRangePushA(name); }
    ~Range() { nvtxRangePop(); }
    Range(const Range &) = delete;
    Range &operator=(const Range &) = delete;
};

__global__ void scale(float *data, float factor, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) data[i] *= factor;
}

int main() {
    const int n = 1 << 20;
    float *data;
    nvtxRangePush("setup");
    cudaMalloc(&data, n * sizeof(float));
    cudaMemset(data, 0, n * sizeof(float));
    nvtxRangePop();

    cudaProfilerStart();
    nvtxRangeId_t whole = nvtxRangeStartA("all steps");
    for (int step = 0; step < 10; ++step) {
        Range range("step");
        scale<<<(n + 255) / 256, 256>>>(data, 1.5f, n);
        nvtxMarkA("launched");
    }
    cudaDeviceSynchronize();
    nvtxRangeEnd(whole);
    nvtxMark("done");
    cudaProfilerStop();
    cudaFree(data);
    std::printf("ok\n");
    return 0;
}
