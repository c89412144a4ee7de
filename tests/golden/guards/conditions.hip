#include <hip/hip_runtime.h>

#ifdef __HIPCC__
#define BOTH __host__ __device__
#else
#define BOTH
#endif

#if (CUDART_VERSION >= 11020 || defined(__HIPCC__))
static hipError_t grab(void **p, size_t n, hipStream_t s) { return hipMallocAsync(p, n, s); }
#else
static hipError_t grab(void **p, size_t n, hipStream_t) { return hipMalloc(p, n); }
#endif

#if !defined(__HIP_DEVICE_COMPILE__) || (__CUDA_ARCH__ >= 600 || defined(__HIP_DEVICE_COMPILE__))
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
#ifdef __HIP_DEVICE_COMPILE__
    return 1;
#else
    return 0;
#endif
}

__global__ void sum(double *to, const double *from) {
#if __CUDA_ARCH__ >= 800
    to[1] = 80;
#elif (__CUDA_ARCH__ >= 700 || defined(__HIP_DEVICE_COMPILE__))
    to[1] = 70;
#endif
    atomicAdd(to, from[hipThreadIdx_x] * where());
}

hipError_t start(void **p, hipStream_t s) { return grab(p, 64, s); }
