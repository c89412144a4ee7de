#include <hip/hip_runtime.h>

__global__ void scoped(int *v, unsigned *u, double *d) {
    atomicAdd_system(v, 1);
    atomicAdd(v + 1, 1);
    atomicMax(u, hipThreadIdx_x);
    atomicCAS(u, 1u, 2u);
    atomicAdd(d, 1.0);
    atomicAdd(d, 2.0);
}
