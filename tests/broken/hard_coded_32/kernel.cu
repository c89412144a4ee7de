// HIP as it was ported by hand: the translator leaves it alone, and the 32 in it.
#include <hip/hip_runtime.h>

__global__ void sum(const int *in, int *out) {
    int v = in[blockIdx.x * blockDim.x + threadIdx.x];
    for (int offset = 16; offset > 0; offset /= 2)
        v += __shfl_xor(v, offset);
    if (threadIdx.x % warpSize == 0) atomicAdd(out, v);
}
