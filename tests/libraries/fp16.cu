// Dot product and elementwise work in half precision.
#include <cstdio>
#include <vector>
#include <cuda_fp16.h>
#include <cuda_runtime.h>

__global__ void dot(const half2 *a, const half2 *b, float *result, int n) {
    __shared__ float partial[256];
    half2 sum = __float2half2_rn(0.0f);
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) sum = __hfma2(a[i], b[i], sum);
    partial[threadIdx.x] = __low2float(sum) + __high2float(sum);
    __syncthreads();
    for (int step = blockDim.x / 2; step > 0; step /= 2) {
        if (threadIdx.x < step) partial[threadIdx.x] += partial[threadIdx.x + step];
        __syncthreads();
    }
    if (threadIdx.x == 0) atomicAdd(result, partial[0]);
}

__global__ void gelu(__half *data, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    __half x = data[i];
    __half cube = __hmul(__hmul(x, x), x);
    __half inner = __hadd(x, __hmul(__float2half(0.044715f), cube));
    float t = tanhf(0.7978845608f * __half2float(inner));
    if (__hgt(x, __float2half(-10.0f)) && !__hisnan(x)) data[i] = __float2half_rn(0.5f * __half2float(x) * (1.0f + t));
    else data[i] = hexp(x) + hsqrt(__habs(x)) - hlog(__hneg(x));
}

__global__ void convert(const float *in, half2 *out, unsigned short *bits, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    half2 pair = __floats2half2_rn(in[2 * i], in[2 * i + 1]);
    float2 back = __half22float2(pair);
    out[i] = __halves2half2(__high2half(pair), __low2half(pair));
    bits[i] = __half_as_ushort(__ushort_as_half(0x3c00)) + __half2int_rn(__float2half(back.x)) + __half2uint_rz(h2sqrt(pair).y);
}

int main() {
    const int n = 1 << 14;
    std::vector<half> host(n, __float2half(0.5f));
    half *a, *b;
    float *result, value = 0.0f;
    unsigned short *bits;
    cudaMalloc(&a, n * sizeof(half));
    cudaMalloc(&b, n * sizeof(half));
    cudaMalloc(&result, n * sizeof(float));
    cudaMalloc(&bits, n * sizeof(unsigned short));
    cudaMemcpy(a, host.data(), n * sizeof(half), cudaMemcpyHostToDevice);
    cudaMemcpy(b, host.data(), n * sizeof(half), cudaMemcpyHostToDevice);
    cudaMemset(result, 0, n * sizeof(float));
    dot<<<32, 256>>>(reinterpret_cast<half2 *>(a), reinterpret_cast<half2 *>(b), result, n / 2);
    gelu<<<n / 256, 256>>>(a, n);
    convert<<<n / 512, 256>>>(result, reinterpret_cast<half2 *>(b), bits, n / 2);
    cudaMemcpy(&value, result, sizeof(float), cudaMemcpyDeviceToHost);
    cudaMemcpy(host.data(), a, n * sizeof(half), cudaMemcpyDeviceToHost);
    std::printf("dot %g, gelu(0.5) %g\n", value, __half2float(host[0]));
    return 0;
}
