#include <cuda_runtime.h>
#include <utility>

// Jacobi steps of the heat equation on an nx x ny x nz grid, seven points, x fastest. A block holds one
// 2D slice with its halo in shared memory and marches along z; the values above and below stay in registers.

struct Coefficients {
    float centre;
    float neighbour;
};

template <int BX, int BY>
__global__ void stencil7(const float *__restrict__ in, float *__restrict__ out, int nx, int ny, int nz,
                         Coefficients c)
{
    __shared__ float plane[BY + 2][BX + 2];

    const int tx = threadIdx.x + 1;
    const int ty = threadIdx.y + 1;
    const int x = blockIdx.x * BX + threadIdx.x;
    const int y = blockIdx.y * BY + threadIdx.y;
    const bool inside = x < nx && y < ny;
    const size_t slice = size_t(nx) * ny;
    const size_t at = size_t(y) * nx + x;

    float below = 0.f;
    float here = inside ? in[at] : 0.f;
    for (int z = 0; z < nz; ++z) {
        const float above = (inside && z + 1 < nz) ? in[at + (z + 1) * slice] : 0.f;

        plane[ty][tx] = here;
        if (threadIdx.x == 0)      plane[ty][0] = (inside && x > 0) ? in[at + z * slice - 1] : 0.f;
        if (threadIdx.x == BX - 1) plane[ty][BX + 1] = (inside && x + 1 < nx) ? in[at + z * slice + 1] : 0.f;
        if (threadIdx.y == 0)      plane[0][tx] = (inside && y > 0) ? in[at + z * slice - nx] : 0.f;
        if (threadIdx.y == BY - 1) plane[BY + 1][tx] = (inside && y + 1 < ny) ? in[at + z * slice + nx] : 0.f;
        __syncthreads();

        if (inside) {
            out[at + z * slice] = c.centre * here
                                + c.neighbour * (plane[ty][tx - 1] + plane[ty][tx + 1] +
                                                 plane[ty - 1][tx] + plane[ty + 1][tx] + below + above);
        }
        __syncthreads();

        below = here;
        here = above;
    }
}

/* Runs `steps` steps between two device buffers and returns the one with the result, or a null pointer. */
inline float *stencil_run(float *d_a, float *d_b, int nx, int ny, int nz, int steps, Coefficients c,
                          cudaStream_t stream)
{
    constexpr int BX = 32, BY = 8;
    const dim3 grid((nx + BX - 1) / BX, (ny + BY - 1) / BY);

    for (int i = 0; i < steps; ++i) {
        stencil7<BX, BY><<<grid, dim3(BX, BY), 0, stream>>>(d_a, d_b, nx, ny, nz, c);
        if (cudaGetLastError() != cudaSuccess)
            return nullptr;
        std::swap(d_a, d_b);
    }
    return cudaStreamSynchronize(stream) == cudaSuccess ? d_a : nullptr;
}
