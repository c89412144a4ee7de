#include <cuda_runtime.h>

#define LOAD(p) __ldcg(p)

__global__ void stream(const float *__restrict__ in, const int4 *__restrict__ idx, float *out, int *flag) {
    int4 i = __ldg(&idx[threadIdx.x]);
    float b = __ldcs(in + i.y) + LOAD(in);
    __stcs(out + i.z, b);
    __stwt(out + max(i.w, 0), /* twice */ b - b);
    while (__ldcv(flag) == 0) {
    }
}
