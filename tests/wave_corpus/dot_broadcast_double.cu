// Gram-Schmidt of two vectors of 32 doubles: the projection's factor is everybody's.
#ifndef WARPSIZE
#define WARPSIZE 32
#endif
#define SHFL(v, l) __shfl_sync(0xffffffff, v, l)
#define SHFL_DOWN(v, d) __shfl_down_sync(0xffffffff, v, d)

__global__ void dot_broadcast_double(const double *u, double *v)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    double uv = u[i] * v[i], uu = u[i] * u[i];
    for (int k = WARPSIZE / 2; k >= 1; k /= 2) {
        uv += SHFL_DOWN(uv, k);
        uu += SHFL_DOWN(uu, k);
    }
    double f = SHFL(uv, 0) / SHFL(uu, 0);
    v[i] -= f * u[i];
}
