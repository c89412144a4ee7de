#include <cuda_runtime.h>

#define XOR3(d, a, b, c) asm("lop3.b32 %0, %1, %2, %3, 0x96;" : "=r"(d) : "r"(a), "r"(b), "r"(c))
#define SCALE(d, a, b)                                              \
    asm volatile("{ .reg .u32 t; mul.lo.u32 t, %1, %2; add.u32 %0, t, %1; }" \
                 : "=r"(d)                                          \
                 : "r"(a), "r"(b))

__device__ unsigned long long wide(unsigned a, unsigned b) {
    unsigned long long d;
    asm("{\n\t"
        "mul.wide.u32 %0, %1, %2;\n\t"
        "}"
        : "=l"(d)
        : "r"(a), "r"(b));
    return d;
}

__device__ int4 streamed(const int4 *p) {
    int4 v;
    asm volatile("ld.global.nc.L1::no_allocate.L2::128B.v4.s32 {%0, %1, %2, %3}, [%4];"
                 : "=r"(v.x), "=r"(v.y), "=r"(v.z), "=r"(v.w)
                 : "l"(p + threadIdx.x));
    return v;
}

__device__ int *behind(int *p) {
    int *q;
    asm("add.u64 %0, %1, 16;" : "=l"(q) : "l"(p));
    return q;
}

__device__ void add64(unsigned *r, unsigned a0, unsigned a1, unsigned b0, unsigned b1) {
    asm("add.cc.u32 %0, %2, %4;\n\t"
        "addc.u32 %1, %3, %5;\n\t"
        : "=r"(r[0]), "=r"(r[1])
        : "r"(a0), "r"(a1), "r"(b0), "r"(b1));
}

__device__ int choose(int a, int b) {
    int r;
    asm("{ .reg .pred p; setp.lt.s32 p, %1, %2; @p mov.s32 %0, 1; @!p mov.s32 %0, -7; }" : "=r"(r) : "r"(a), "r"(b));
    return r;
}

__global__ void all(unsigned *v, float *f, int n) {
    unsigned lane, mask, d;
    unsigned long long t;
    asm volatile("mov.u32 %0, %%laneid;" : "=r"(lane));
    asm("mov.u32 %0, %lanemask_lt;" : "=r"(mask));
    asm volatile("mov.u64 %0, %%clock64;" : "=l"(t));
    asm volatile("ex2.approx.ftz.f32 %0, %1;" : "=f"(f[0]) : "f"(f[1]));
    asm("bfe.u32 %0, %1, %2, 4;" : "=r"(d) : "r"(v[0]), "r"(n));
    asm volatile("red.global.add.f32 [%0], %1;" ::"l"(f), "f"(f[2]) : "memory");
    asm volatile("st.global.cs.u32 [%0], %1;" ::"l"(v), "r"(d) : "memory");
    asm volatile("shfl.sync.bfly.b32 %0, %1, 16, 0x1f, 0xffffffff;" : "=r"(d) : "r"(d));
    asm volatile("membar.gl;" ::: "memory");
    asm volatile("bar.sync 0;");
    XOR3(d, v[0], v[1], v[2]);
    SCALE(d, v[1] + 1, v[2]);
    v[3] = d + lane + mask + (unsigned)t + (unsigned)wide(d, 3u);
    if (n < 0) asm("trap;");
}
