#include <cuda_runtime.h>

__global__ void scoped(int *v, unsigned *u, double *d) {
    atomicAdd_system(v, 1);
    atomicAdd_block(v + 1, 1);
    atomicMax_block(u, threadIdx.x);
    atomicCAS_block(u, 1u, 2u);
    atomicAdd_block(d, 1.0);
    atomicAdd(d, 2.0);
}
