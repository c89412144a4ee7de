#include <cuda_runtime.h>

#ifdef __CUDACC__
#define BOTH __host__ __device__
#else
#define BOTH
#endif

#if CUDART_VERSION >= 11020
static cudaError_t grab(void **p, size_t n, cudaStream_t s) { return cudaMallocAsync(p, n, s); }
#else
static cudaError_t grab(void **p, size_t n, cudaStream_t) { return cudaMalloc(p, n); }
#endif

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 600
#else
__device__ double atomicAdd(double *at, double by) {
    unsigned long long *cell = (unsigned long long *)at, old = *cell, seen;
    do {
        seen = old;
        old = atomicCAS(cell, seen, __double_as_longlong(by + __longlong_as_double(seen)));
    } while (seen != old);
    return __longlong_as_double(old);
}
#endif

BOTH inline int where() {
#ifdef __CUDA_ARCH__
    return 1;
#else
    return 0;
#endif
}

__global__ void sum(double *to, const double *from) {
#if __CUDA_ARCH__ >= 800
    to[1] = 80;
#elif __CUDA_ARCH__ >= 700
    to[1] = 70;
#endif
    atomicAdd(to, from[threadIdx.x] * where());
}

cudaError_t start(void **p, cudaStream_t s) { return grab(p, 64, s); }
