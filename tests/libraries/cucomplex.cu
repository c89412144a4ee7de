// A Julia set and some sums, with cuComplex.
#include <cstdio>
#include <cuComplex.h>
#include <cuda_runtime.h>

__device__ int julia(cuFloatComplex z, cuFloatComplex c) {
    int i = 0;
    for (; i < 200 && cuCabsf(z) < 2.0f; ++i) z = cuCaddf(cuCmulf(z, z), c);
    return i;
}

__global__ void picture(unsigned char *out, int width, int height) {
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) return;
    cuFloatComplex z = make_cuFloatComplex(3.0f * x / width - 1.5f, 2.0f * y / height - 1.0f);
    out[y * width + x] = (unsigned char)julia(z, make_cuComplex(-0.8f, 0.156f));
}

__global__ void rotate(cuDoubleComplex *z, int n, double angle) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    cuDoubleComplex turn = make_cuDoubleComplex(cos(angle), sin(angle));
    cuDoubleComplex value = cuCmul(z[i], turn);
    value = cuCsub(cuCadd(value, cuConj(value)), cuCdiv(z[i], turn));
    z[i] = cuCfma(turn, value, z[i]);
    z[i].x = cuCreal(z[i]) + cuCimag(value);
}

int main() {
    const int width = 640, height = 480, n = 1000;
    unsigned char *pixels;
    cuDoubleComplex *numbers, sum = make_cuDoubleComplex(0.0, 0.0), host[n];
    cudaMallocManaged(&pixels, width * height);
    cudaMalloc(&numbers, n * sizeof(cuDoubleComplex));
    for (int i = 0; i < n; ++i) host[i] = make_cuDoubleComplex(i, -i);
    cudaMemcpy(numbers, host, sizeof(host), cudaMemcpyHostToDevice);
    dim3 block(16, 16), grid((width + 15) / 16, (height + 15) / 16);
    picture<<<grid, block>>>(pixels, width, height);
    rotate<<<(n + 127) / 128, 128>>>(numbers, n, 0.1);
    cudaMemcpy(host, numbers, sizeof(host), cudaMemcpyDeviceToHost);
    cudaDeviceSynchronize();
    for (const cuDoubleComplex &z : host) sum = cuCadd(sum, z);
    cuComplex small = cuComplexDoubleToFloat(sum);
    std::printf("%g %g %g %d\n", cuCabs(sum), cuCrealf(small), cuCimagf(small), pixels[0]);
    cudaFree(pixels);
    cudaFree(numbers);
    return 0;
}
