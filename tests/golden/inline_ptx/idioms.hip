#include <hip/hip_runtime.h>

#define XOR3(d, a, b, c) (d) = (unsigned int)(a) ^ (unsigned int)(b) ^ (unsigned int)(c)
#define SCALE(d, a, b)                                              \
    do { auto &ptx_0 = (d); const unsigned int ptx_1 = (unsigned int)(a); const unsigned int ptx_2 = (unsigned int)(b); unsigned int ptx_t; ptx_t = (unsigned int)ptx_1 * (unsigned int)ptx_2; ptx_0 = ptx_t + (unsigned int)ptx_1; } while (0)

__device__ unsigned long long wide(unsigned a, unsigned b) {
    unsigned long long d;
    d = (unsigned long long)(unsigned int)a * (unsigned int)b;
    return d;
}

__device__ int4 streamed(const int4 *p) {
    int4 v;
    do {
        auto &ptx_0 = (v.x);
        auto &ptx_1 = (v.y);
        auto &ptx_2 = (v.z);
        auto &ptx_3 = (v.w);
        const auto ptx_4 = (p + hipThreadIdx_x);
        { const int *ptx_0t = (const int *)ptx_4; ptx_0 = ptx_0t[0]; ptx_1 = ptx_0t[1]; ptx_2 = ptx_0t[2]; ptx_3 = ptx_0t[3]; }
    } while (0);
    return v;
}

__device__ int *behind(int *p) {
    int *q;
    q = (__typeof__(q))((unsigned long long)p + 16ull);
    return q;
}

__device__ void add64(unsigned *r, unsigned a0, unsigned a1, unsigned b0, unsigned b1) {
    do {
        auto &ptx_0 = (r[0]);
        auto &ptx_1 = (r[1]);
        const unsigned int ptx_2 = (unsigned int)(a0);
        const unsigned int ptx_3 = (unsigned int)(a1);
        const unsigned int ptx_4 = (unsigned int)(b0);
        const unsigned int ptx_5 = (unsigned int)(b1);
        unsigned int ptx_0c;
        { unsigned long long ptx_0t = (unsigned long long)(unsigned int)ptx_2 + (unsigned int)ptx_4; ptx_0 = (unsigned int)ptx_0t; ptx_0c = (unsigned int)(ptx_0t >> 32); }
        ptx_1 = (unsigned int)ptx_3 + (unsigned int)ptx_5 + ptx_0c;
    } while (0);
}

__device__ int choose(int a, int b) {
    int r;
    do {
        auto &ptx_0 = (r);
        const unsigned int ptx_1 = (unsigned int)(a);
        const unsigned int ptx_2 = (unsigned int)(b);
        bool ptx_p;
        ptx_p = (int)ptx_1 < (int)ptx_2;
        if (ptx_p) { ptx_0 = 1; }
        if (!ptx_p) { ptx_0 = (-7); }
    } while (0);
    return r;
}

__global__ void all(unsigned *v, float *f, int n) {
    unsigned lane, mask, d;
    unsigned long long t;
    lane = (__lane_id() & 31u);
    mask = (1u << (__lane_id() & 31u)) - 1u;
    t = (unsigned long long)clock64();
    f[0] = exp2f(f[1]);
    d = (unsigned int)(((unsigned long long)(unsigned int)v[0] >> (((unsigned int)n & 255u) < 63u ? (unsigned int)n & 255u : 63u)) & ((1ull << ((4u & 255u) < 32u ? 4u & 255u : 32u)) - 1ull));
    atomicAdd((float *)f, f[2]);
    *(unsigned int *)v = (unsigned int)d;
    d = __shfl_xor((unsigned int)d, 16, 32);
    __threadfence();
    __syncthreads();
    XOR3(d, v[0], v[1], v[2]);
    SCALE(d, v[1] + 1, v[2]);
    v[3] = d + lane + mask + (unsigned)t + (unsigned)wide(d, 3u);
    if (n < 0) abort();
}
