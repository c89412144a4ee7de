// golden: no-compile
#include <hip/hip_runtime.h>

__global__ void child(int *v) { v[hipThreadIdx_x] += 1; }

__global__ void parent(int *v) {
    if (hipThreadIdx_x == 0) {
        hipLaunchKernelGGL(child, dim3(1), dim3(32), 0, 0, v);
        hipDeviceSynchronize();
    }
}

void host(int *v) {
    hipLaunchKernelGGL(parent, dim3(1), dim3(32), 96 * 1024, 0, v);
    hipDeviceSynchronize();
}
