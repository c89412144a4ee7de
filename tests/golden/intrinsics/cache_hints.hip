#include <hip/hip_runtime.h>

#define LOAD(p) (*(p))

__global__ void stream(const float *__restrict__ in, const int4 *__restrict__ idx, float *out, int *flag) {
    int4 i = __ldg(&idx[hipThreadIdx_x]);
    float b = (*(in + i.y)) + LOAD(in);
    (*(out + i.z) = (b));
    (*(out + max(i.w, 0)) = (/* twice */ b - b));
    while (__hip_atomic_load(flag, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_SYSTEM) == 0) {
    }
}
