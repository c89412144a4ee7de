#include <hip/hip_runtime.h>

#define TID (hipBlockIdx_x * hipBlockDim_x + hipThreadIdx_x)

struct Grid { dim3 gridDim, blockDim; };

__device__ unsigned take(dim3 d) { return d.x; }

__global__ void all_axes(unsigned *out, uint3 other) {
    out[0] = hipThreadIdx_x + hipThreadIdx_y + hipThreadIdx_z;
    out[1] = hipBlockIdx_x + hipBlockIdx_y + hipBlockIdx_z;
    out[2] = hipBlockDim_x * hipBlockDim_y * hipBlockDim_z;
    out[3] = hipGridDim_x * hipGridDim_y * hipGridDim_z;
    out[4] = TID;
    auto lambda = [&](int i) { return i + hipThreadIdx_x; };
    out[5] = lambda(1);
}

// Whole values stay: HIP has them under the same name.
__global__ void whole(unsigned *out) {
    uint3 t = make_uint3(hipThreadIdx_x, hipThreadIdx_y, hipThreadIdx_z);
    dim3 d = blockDim;
    out[0] = t.x + take(d) + take(gridDim);
}

// The person's own variables of these names.
void host(unsigned *out, int n) {
    dim3 blockDim(16, 16);
    dim3 gridDim((n + blockDim.x - 1) / blockDim.x, (n + blockDim.y - 1) / blockDim.y);
    Grid g{gridDim, blockDim};
    hipLaunchKernelGGL(all_axes, dim3(gridDim), dim3(blockDim), 0, 0, out, uint3{g.gridDim.x, g.blockDim.y, gridDim.x});
}

__device__ unsigned own(uint3 threadIdx) { return threadIdx.x; }

// threadIdx.x in a comment, "threadIdx.x" in a string
const char *text = "threadIdx.x";
