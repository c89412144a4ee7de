#include <cuda_runtime.h>

#define TID (blockIdx.x * blockDim.x + threadIdx.x)

struct Grid { dim3 gridDim, blockDim; };

__device__ unsigned take(dim3 d) { return d.x; }

__global__ void all_axes(unsigned *out, uint3 other) {
    out[0] = threadIdx.x + threadIdx.y + threadIdx.z;
    out[1] = blockIdx.x + blockIdx.y + blockIdx.z;
    out[2] = blockDim.x * blockDim.y * blockDim.z;
    out[3] = gridDim.x * gridDim . y * gridDim.z;
    out[4] = TID;
    auto lambda = [&](int i) { return i + threadIdx.x; };
    out[5] = lambda(1);
}

// Whole values stay: HIP has them under the same name.
__global__ void whole(unsigned *out) {
    uint3 t = threadIdx;
    dim3 d = blockDim;
    out[0] = t.x + take(d) + take(gridDim);
}

// The person's own variables of these names.
void host(unsigned *out, int n) {
    dim3 blockDim(16, 16);
    dim3 gridDim((n + blockDim.x - 1) / blockDim.x, (n + blockDim.y - 1) / blockDim.y);
    Grid g{gridDim, blockDim};
    all_axes<<<gridDim, blockDim>>>(out, uint3{g.gridDim.x, g.blockDim.y, gridDim.x});
}

__device__ unsigned own(uint3 threadIdx) { return threadIdx.x; }

// threadIdx.x in a comment, "threadIdx.x" in a string
const char *text = "threadIdx.x";
