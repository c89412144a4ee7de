#include <cuda_fp16.h>
#include <cuda_runtime.h>

// y = a * x + y in half precision: two elements a thread as half2, the odd last one alone.
__global__ void haxpy(int n, const half a, const half *__restrict__ x, half *__restrict__ y)
{
    const int start = threadIdx.x + blockDim.x * blockIdx.x;
    const int stride = blockDim.x * gridDim.x;

    const int n2 = n / 2;
    const half2 a2 = __halves2half2(a, a);
    const half2 *x2 = reinterpret_cast<const half2 *>(x);
    half2 *y2 = reinterpret_cast<half2 *>(y);

    for (int i = start; i < n2; i += stride)
        y2[i] = __hfma2(a2, x2[i], y2[i]);

    if (start == 0 && (n % 2) != 0)
        y[n - 1] = __hfma(a, x[n - 1], y[n - 1]);
}

__global__ void to_half(int n, const float *in, half *out)
{
    const int i = threadIdx.x + blockDim.x * blockIdx.x;
    if (i < n) out[i] = __float2half(in[i]);
}

__global__ void to_float(int n, const __half *in, float *out)
{
    const int i = threadIdx.x + blockDim.x * blockIdx.x;
    if (i < n) out[i] = __half2float(in[i]);
}

// Takes and returns single precision on the device, computes in half.
bool haxpy_launch(int n, float a, const float *d_x, float *d_y, cudaStream_t stream)
{
    const int threads = 256;
    const int blocks = (n + threads - 1) / threads;
    half *x = nullptr, *y = nullptr;
    bool ok = n > 0;

    ok = ok && cudaMalloc(&x, n * sizeof(half)) == cudaSuccess;
    ok = ok && cudaMalloc(&y, n * sizeof(half)) == cudaSuccess;
    if (ok) {
        to_half<<<blocks, threads, 0, stream>>>(n, d_x, x);
        to_half<<<blocks, threads, 0, stream>>>(n, d_y, y);
        haxpy<<<blocks, threads, 0, stream>>>(n, __float2half(a), x, y);
        to_float<<<blocks, threads, 0, stream>>>(n, y, d_y);
        ok = cudaGetLastError() == cudaSuccess && cudaStreamSynchronize(stream) == cudaSuccess;
    }
    cudaFree(x);
    cudaFree(y);
    return ok;
}
