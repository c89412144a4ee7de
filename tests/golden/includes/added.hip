// SPDX-License-Identifier: MIT

#include <hip/hip_runtime.h>
#include <cstdio>

// Says where it is.
__global__ void say() { printf("%d\n", hipBlockIdx_x); }

int main() {
    hipLaunchKernelGGL(say, dim3(1), dim3(1), 0, 0);
    return hipDeviceSynchronize() != hipSuccess;
}
