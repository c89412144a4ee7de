#include <cuda_runtime.h>
#include <cfloat>

// The largest value of each row and where it stands first. A warp takes a row; the lanes meet by shuffles, and a vote tells
// rows that are all NaN-free from the others.

struct Best {
    float value;
    int index;
};

__device__ __forceinline__ Best better(Best a, Best b)
{
    const bool take = b.value > a.value || (b.value == a.value && b.index < a.index);
    return take ? b : a;
}

__global__ void row_max(const float *in, float *value, int *index, unsigned int *finite, int rows, int cols)
{
    const unsigned int full = 0xffffffffu;
    const int lane = threadIdx.x % 32;
    const int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
    if (row >= rows) return;

    Best best = {-FLT_MAX, cols};
    bool good = true;
    for (int col = lane; col < cols; col += 32) {
        const float x = in[(size_t)row * cols + col];
        good = good && x >= -FLT_MAX && x <= FLT_MAX;
        best = better(best, Best{x, col});
    }
    for (int offset = 16; offset > 0; offset /= 2) {
        Best other;
        other.value = __shfl_down_sync(full, best.value, offset);
        other.index = __shfl_down_sync(full, best.index, offset);
        best = better(best, other);
    }
    const int all = __all_sync(full, good);
    if (lane == 0) {
        value[row] = best.value;
        index[row] = best.index;
        if (all) atomicAdd(finite, 1u);
    }
}

cudaError_t row_max_launch(const float *in, float *value, int *index, unsigned int *finite, int rows, int cols,
                           cudaStream_t stream)
{
    const int warps = 4;
    cudaError_t error = cudaMemsetAsync(finite, 0, sizeof *finite, stream);
    if (error != cudaSuccess) return error;
    row_max<<<(rows + warps - 1) / warps, 32 * warps, 0, stream>>>(in, value, index, finite, rows, cols);
    return cudaGetLastError();
}
