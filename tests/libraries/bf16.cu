// Layer normalisation over bfloat16.
#include <cstdio>
#include <vector>
#include <cuda_bf16.h>
#include <cuda_runtime.h>

__global__ void layer_norm(const __nv_bfloat16 *in, __nv_bfloat16 *out, int width, float epsilon) {
    __shared__ float sums[2];
    if (threadIdx.x == 0) sums[0] = sums[1] = 0.0f;
    __syncthreads();
    const __nv_bfloat16 *row = in + blockIdx.x * width;
    float sum = 0.0f, squares = 0.0f;
    for (int i = threadIdx.x; i < width; i += blockDim.x) {
        float x = __bfloat162float(row[i]);
        sum += x;
        squares += x * x;
    }
    atomicAdd(&sums[0], sum);
    atomicAdd(&sums[1], squares);
    __syncthreads();
    float mean = sums[0] / width;
    float scale = rsqrtf(sums[1] / width - mean * mean + epsilon);
    for (int i = threadIdx.x; i < width; i += blockDim.x)
        out[blockIdx.x * width + i] = __float2bfloat16((__bfloat162float(row[i]) - mean) * scale);
}

__global__ void pairs(const __nv_bfloat162 *a, __nv_bfloat162 *b, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    __nv_bfloat162 product = __hmul2(a[i], b[i]);
    product = __hfma2(product, a[i], __hadd2(b[i], __float2bfloat162_rn(1.0f)));
    nv_bfloat16 low = __low2bfloat16(product), high = __high2bfloat16(product);
    float2 wide = __bfloat1622float2(product);
    if (__hlt(low, high) || __hisnan(low)) low = __hmax(low, __float2bfloat16_rn(wide.x + wide.y));
    b[i] = __halves2bfloat162(low, hsqrt(__habs(high)));
}

int main() {
    const int rows = 64, width = 512, n = rows * width;
    std::vector<nv_bfloat16> host(n, __float2bfloat16(1.5f));
    nv_bfloat16 *in, *out;
    cudaMalloc(&in, n * sizeof(nv_bfloat16));
    cudaMalloc(&out, n * sizeof(nv_bfloat16));
    cudaMemcpy(in, host.data(), n * sizeof(nv_bfloat16), cudaMemcpyHostToDevice);
    layer_norm<<<rows, 128>>>(in, out, width, 1e-5f);
    pairs<<<n / 512, 256>>>(reinterpret_cast<__nv_bfloat162 *>(in), reinterpret_cast<__nv_bfloat162 *>(out), n / 2);
    cudaMemcpy(host.data(), out, n * sizeof(nv_bfloat16), cudaMemcpyDeviceToHost);
    std::printf("%g\n", __bfloat162float(host[0]));
    cudaFree(in);
    cudaFree(out);
    return 0;
}
