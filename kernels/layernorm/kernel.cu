/* Layer normalisation over the last dimension, forward only: y = (x - mean) / sqrt(var + eps) * gamma + beta. */
#include <cuda_runtime.h>
#include <math.h>
#include <stdio.h>

#ifndef LAYERNORM_THREADS
#define LAYERNORM_THREADS 128
#endif

#define cudaCheck(err) (cuda_check(err, __FILE__, __LINE__))
inline void cuda_check(cudaError_t error, const char *file, int line) {
  if (error != cudaSuccess) {
    printf("[CUDA ERROR] at file %s:%d:\n%s\n", file, line, cudaGetErrorString(error));
  }
}

template <typename T>
__global__ void layernorm_forward_kernel(T *__restrict__ out, T *__restrict__ mean, T *__restrict__ rstd,
                                         const T *__restrict__ inp, const T *__restrict__ gamma,
                                         const T *__restrict__ beta, int C, float eps) {
  __shared__ float partial[LAYERNORM_THREADS];
  const int tid = threadIdx.x;
  const size_t idx = blockIdx.x;  // which row
  const T *x = inp + idx * C;

  // mean
  float sum = 0.0f;
  for (int i = tid; i < C; i += blockDim.x) sum += (float)x[i];
  partial[tid] = sum;
  __syncthreads();
  for (int stride = blockDim.x >> 1; stride > 0; stride >>= 1) {
    if (tid < stride) partial[tid] += partial[tid + stride];
    __syncthreads();
  }
  const float m = partial[0] / C;
  __syncthreads();

  // variance, about the mean
  sum = 0.0f;
  for (int i = tid; i < C; i += blockDim.x) {
    const float diff = (float)x[i] - m;
    sum += diff * diff;
  }
  partial[tid] = sum;
  __syncthreads();
  for (int stride = blockDim.x >> 1; stride > 0; stride >>= 1) {
    if (tid < stride) partial[tid] += partial[tid + stride];
    __syncthreads();
  }
  const float s = rsqrtf(partial[0] / C + eps);

  for (int i = tid; i < C; i += blockDim.x) {
    const float n = s * ((float)x[i] - m);
    out[idx * C + i] = (T)(n * (float)gamma[i] + (float)beta[i]);
  }
  if (tid == 0) {
    if (mean != nullptr) mean[idx] = (T)m;
    if (rstd != nullptr) rstd[idx] = (T)s;
  }
}

template <typename T>
void layernorm_forward(T *out, T *mean, T *rstd, const T *inp, const T *gamma, const T *beta, int N, int C,
                       float eps, cudaStream_t stream) {
  if (N == 0) return;
  layernorm_forward_kernel<T><<<N, LAYERNORM_THREADS, 0, stream>>>(out, mean, rstd, inp, gamma, beta, C, eps);
  cudaCheck(cudaGetLastError());
}

template void layernorm_forward<float>(float *, float *, float *, const float *, const float *, const float *, int,
                                       int, float, cudaStream_t);
