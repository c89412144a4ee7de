// SPDX-License-Identifier: MIT

#include <cstdio>

// Says where it is.
__global__ void say() { printf("%d\n", blockIdx.x); }

int main() {
    say<<<1, 1>>>();
    return cudaDeviceSynchronize() != cudaSuccess;
}
