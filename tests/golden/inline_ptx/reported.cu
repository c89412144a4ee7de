// golden: no-compile
#include <cuda_runtime.h>

__device__ unsigned long long now() {
    unsigned long long t;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t));
    return t;
}

__global__ void copies(unsigned shared, const void *p, unsigned *v) {
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;\n" ::"r"(shared), "l"(p));
    asm volatile("cp.async.commit_group;\n" ::);
    asm volatile("cp.async.wait_group %0;\n" ::"n"(0));
    asm volatile("bar.sync %0, %1;" ::"r"(1), "r"(64));
    asm volatile("nanosleep.u32 100;");
    asm volatile("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0}, {%1}, {%2}, {%3};" ::"r"(1));
    asm("add.cc.u32 %0, %0, %1;" : "+r"(v[0]) : "r"(v[1]));
    asm("addc.u32 %0, %0, %1;" : "+r"(v[2]) : "r"(v[3]));
}

unsigned host() {
    unsigned a, d;
    asm volatile("rdtsc" : "=a"(a), "=d"(d));
    asm volatile("" ::: "memory");
    return a;
}
