#include <cuda_runtime.h>

__global__ void shift_left(const int *in, int *out) {
    const int i = threadIdx.x;
    out[i] = in[i] << i;
}
