// golden: verify=false
#include <hip/hip_runtime.h>

typedef unsigned int uint;

inline __host__ __device__ float3 operator+(float3 a, float3 b) { return make_float3(a.x + b.x, a.y + b.y, a.z + b.z); }
#if !defined(__HIPCC__)
inline __host__ __device__ void operator+=(float3 &a, float3 b)
{
    a.x += b.x;
    a.y += b.y;
    a.z += b.z;
}

inline __host__ __device__ void operator-=(float3 &a, const float3 &b) { a.x = a.x - b.x; a.y = a.y - b.y; a.z = a.z - b.z; }
#endif
inline __host__ __device__ void operator+=(float3 &a, float b) { a.x += b; a.y += b; a.z += b; }
#if !defined(__HIPCC__)
inline __host__ __device__ float2 operator*(const float2 a, const float2 b) { return make_float2(a.x * b.x, a.y * b.y); }
#endif

#if defined(__HIP_DEVICE_COMPILE__) && (__CUDA_ARCH__ < 600 && !defined(__HIP_DEVICE_COMPILE__))
__device__ double atomicAdd(double *address, double val)
{
    unsigned long long int *p = (unsigned long long int *)address;
    unsigned long long int old = *p, assumed;
    do {
        assumed = old;
        old = atomicCAS(p, assumed, __double_as_longlong(val + __longlong_as_double(assumed)));
    } while (assumed != old);
    return __longlong_as_double(old);
}
#endif

#if !defined(__HIPCC__)
static __inline__ __device__ float atomicMax(float *address, float val)
{
    int old = __float_as_int(*address), assumed;
    do {
        assumed = old;
        old = atomicCAS((int *)address, assumed, __float_as_int(fmaxf(val, __int_as_float(assumed))));
    } while (assumed != old);
    return __int_as_float(old);
}
#endif

__global__ void all(float3 *v, float2 *w, double *d, float *f, uint n)
{
    v[0] += v[1] + v[2];
    v[1] -= v[2];
    v[2] += 2.f;
    w[0] = w[1] * w[2];
    atomicAdd(d, 1.0);
    atomicMax(f, (float)n);
}
