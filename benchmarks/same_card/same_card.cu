// The time of three kernels on one card: built from CUDA and from its translation, the difference is what translating costs.
// Prints a line a kernel: name, the fastest of 50 launches in milliseconds, and a sum over the output.
#include <cuda_runtime.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "../../kernels/conv2d/kernel.cu"
#include "../../kernels/layernorm/kernel.cu"
#include "../../kernels/matmul/kernel.cu"

static void check(cudaError_t error) {
    if (error == cudaSuccess) return;
    std::printf("failed: %s\n", cudaGetErrorString(error));
    std::exit(1);
}

static float *filled(size_t count) {
    std::vector<float> host(count);
    unsigned state = 1;
    for (float &each : host) {
        state = state * 1664525u + 1013904223u;
        each = (state >> 8) * (1.0f / 16777216.0f) - 0.5f;
    }
    float *device = nullptr;
    check(cudaMalloc(reinterpret_cast<void **>(&device), count * sizeof(float)));
    check(cudaMemcpy(device, host.data(), count * sizeof(float), cudaMemcpyHostToDevice));
    return device;
}

template <class F>
static void time(const char *name, F launch, const float *out, size_t count) {
    cudaEvent_t start, stop;
    check(cudaEventCreate(&start));
    check(cudaEventCreate(&stop));
    float best = 1e9f;
    for (int round = 0; round < 50; ++round) {
        check(cudaEventRecord(start, 0));
        launch();
        check(cudaEventRecord(stop, 0));
        check(cudaEventSynchronize(stop));
        float took = 0;
        check(cudaEventElapsedTime(&took, start, stop));
        best = std::min(best, took);
    }
    check(cudaGetLastError());
    std::vector<float> host(count);
    check(cudaMemcpy(host.data(), out, count * sizeof(float), cudaMemcpyDeviceToHost));
    double sum = 0;
    for (float each : host) sum += each;
    std::printf("%s %.5f %.9g\n", name, best, sum);
}

int main() {
    const int n = 2048, side = 224, radius = 3, rows = 8192, columns = 1024;
    float *a = filled(n * n), *b = filled(n * n), *c = filled(n * n);
    time("matmul 2048x2048", [=] { check(matmul_launch(a, b, c, n, n, n, 0)); }, c, n * n);

    float *in = filled(side * side), *out = filled(side * side);
    std::vector<float> filter((2 * radius + 1) * (2 * radius + 1), 0.25f);
    check(cudaMemcpyToSymbol(d_filter, filter.data(), filter.size() * sizeof(float)));
    const dim3 threads(TILE, TILE, 1), blocks((side + TILE - 1) / TILE, (side + TILE - 1) / TILE, 1);
    const int span = TILE + 2 * radius;
    time("conv2d 224x224", [=] {
        conv2d<<<blocks, threads, span * span * sizeof(float)>>>(in, out, side, side, radius);
    }, out, side * side);

    float *x = filled(rows * columns), *y = filled(rows * columns), *gamma = filled(columns), *beta = filled(columns);
    float *mean = filled(rows), *rstd = filled(rows);
    time("layernorm 8192x1024", [=] { layernorm_forward<float>(y, mean, rstd, x, gamma, beta, rows, columns, 1e-5f, 0); }, y,
         rows * columns);
    return 0;
}
