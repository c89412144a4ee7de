// Kernels that each look at one part of the engine; test_cpu_engine.py says what they must give.
#include <hip/hip_runtime.h>
#include <hip/hip_cooperative_groups.h>
#include <cassert>
namespace cg = cooperative_groups;

__constant__ int table[4] = {1, 2, 3, 4};
__device__ int counter;
__device__ float grid_of_floats[2][3];

extern "C" __global__ void add(const float* a, const float* b, float* c, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) c[i] = a[i] + b[i];
}

#define TS 16
extern "C" __global__ void matmul(const float* A, const float* B, float* C, int N) {
    __shared__ float As[TS][TS], Bs[TS][TS];
    int tx = threadIdx.x, ty = threadIdx.y, r = blockIdx.y * TS + ty, c = blockIdx.x * TS + tx;
    float s = 0;
    for (int t = 0; t < N / TS; t++) {
        As[ty][tx] = A[r * N + t * TS + tx];
        Bs[ty][tx] = B[(t * TS + ty) * N + c];
        __syncthreads();
        for (int k = 0; k < TS; k++) s += As[ty][k] * Bs[k][tx];
        __syncthreads();
    }
    C[r * N + c] = s;
}

extern "C" __global__ void wave_sum(const float* x, float* o, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float v = i < n ? x[i] : 0.f;
    for (int d = warpSize / 2; d > 0; d >>= 1) v += __shfl_down(v, d);
    if (threadIdx.x % warpSize == 0) atomicAdd(o, v);
}

extern "C" __global__ void hard_coded_32(const int* x, int* o) {
    int v = x[threadIdx.x];
    for (int d = 16; d > 0; d >>= 1) v += __shfl_xor(v, d);
    if (threadIdx.x % warpSize == 0) atomicAdd(o, v);
}

extern "C" __global__ void reverse(const float* x, float* y) {
    extern __shared__ float s[];
    int t = threadIdx.x;
    s[t] = x[blockIdx.x * blockDim.x + t];
    __syncthreads();
    y[blockIdx.x * blockDim.x + t] = s[blockDim.x - 1 - t];
}

extern "C" __global__ void diverge(int* o) {
    int t = threadIdx.x;
    unsigned long long m = 0;
    if (t & 1) m = __ballot(1);
    unsigned long long a = __ballot(t % 3 == 0);
    o[t] = __popcll(m) * 1000 + __popcll(a);
}

extern "C" __global__ void loop_diverge(int* o) {
    int t = threadIdx.x, n = t % 4 + 1, acc = 0;
    for (int i = 0; i < n; i++) acc += __popcll(__ballot(1));
    o[t] = acc;
}

extern "C" __global__ void shuffles(int* o) {
    int t = threadIdx.x, n = blockDim.x;
    o[t] = __shfl(t, 3);
    o[n + t] = __shfl_up(t, 2);
    o[2 * n + t] = __shfl_down(t, 2);
    o[3 * n + t] = __shfl_xor(t, 1);
    o[4 * n + t] = __shfl(t, 1, 8);
    o[5 * n + t] = __shfl_sync(~0ull, t, 5);
    o[6 * n + t] = __shfl_down_sync(~0ull, t, 4, 16);
    o[7 * n + t] = (int)__shfl((double)t + 0.5, 7);
}

extern "C" __global__ void votes(unsigned long long* o) {
    int t = threadIdx.x, n = blockDim.x;
    o[t] = __ballot(t % 2);
    o[n + t] = __any(t == 40);
    o[2 * n + t] = __all(t < 40);
    o[3 * n + t] = __activemask();
    o[4 * n + t] = __match_any_sync(~0ull, t % 4);
    int same = 0;
    __match_all_sync(~0ull, t / warpSize, &same);
    o[5 * n + t] = same;
    o[6 * n + t] = __reduce_add_sync(~0ull, t);
    o[7 * n + t] = __lane_id() + 100 * __popcll(__lanemask_lt());
    __syncwarp();
}

extern "C" __global__ void counted_barriers(int* o) {
    int t = threadIdx.x;
    o[t] = __syncthreads_count(t % 3 == 0);
    o[blockDim.x + t] = __syncthreads_and(t < 100);
    o[2 * blockDim.x + t] = __syncthreads_or(t == 77);
}

extern "C" __global__ void atomics(int* o, float* f, unsigned* u, double* d) {
    atomicAdd(&o[0], 1);
    atomicSub(&o[1], 2);
    atomicMax(&o[2], (int)(blockIdx.x * blockDim.x + threadIdx.x));
    atomicMin(&o[3], -(int)threadIdx.x);
    atomicOr(&o[4], 1 << (threadIdx.x % 30));
    atomicAnd(&o[5], ~(1 << (threadIdx.x % 4)));
    atomicXor(&o[6], 1);
    atomicInc(u, 9u);
    atomicAdd(f, 0.5f);
    atomicAdd(d, 0.25);
    int old = o[7], seen;
    do {
        seen = old;
        old = atomicCAS(&o[7], seen, seen + 3);
    } while (old != seen);
    atomicAdd(&counter, 1);
}

extern "C" __global__ void globals(int* o) {
    o[threadIdx.x] = table[threadIdx.x % 4] * 10;
    if (threadIdx.x < 6) grid_of_floats[threadIdx.x / 3][threadIdx.x % 3] = threadIdx.x;
}

extern "C" __global__ void grid_reverse(int* out, int n) {
    cg::grid_group g = cg::this_grid();
    int i = (int)g.thread_rank();
    out[i] = i * i;
    g.sync();
    int other = out[n - 1 - i];
    g.sync();
    out[i] = other;
}

extern "C" __global__ void tiles(int* out) {
    cg::thread_block b = cg::this_thread_block();
    auto t = cg::tiled_partition<8>(b);
    int v = b.thread_rank();
    for (int d = t.size() / 2; d; d /= 2) v += t.shfl_down(v, d);
    v = t.shfl(v, 0);
    b.sync();
    out[b.thread_rank()] = v + 1000 * cg::reduce(t, 1, cg::plus<int>()) + 100000 * (int)cg::inclusive_scan(t, 1);
}

extern "C" __global__ void coalesced(int* out) {
    out[threadIdx.x] = -1;
    if (threadIdx.x % 3 == 0) {
        cg::coalesced_group c = cg::coalesced_threads();
        out[threadIdx.x] = c.size() * 100 + c.thread_rank();
    }
}

extern "C" __global__ void print(int n) { if (threadIdx.x < n) printf("thread %d of block %d\n", (int)threadIdx.x, (int)blockIdx.x); }
extern "C" __global__ void check(int limit) { assert(threadIdx.x < limit); }
extern "C" __global__ void off_by_one(float* x, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i <= n) x[i] = 1; }
extern "C" __global__ void before(float* x) { x[-5000] = 1; }
extern "C" __global__ void null_pointer(float* x) { x[threadIdx.x] = 1; }
extern "C" __global__ void divide(int* x, int by) { x[threadIdx.x] = 7 / by; }
extern "C" __global__ void trap() { if (threadIdx.x == 3) __builtin_trap(); }
extern "C" __global__ void recurse(int* x) { volatile char pad[4096]; pad[0] = 1; if (x[0] >= 0) { x[1] = pad[0]; recurse(x); } pad[1] = 2; x[2] = pad[1]; }
extern "C" __global__ void dynamic_overflow(float* x) { extern __shared__ float s[]; s[threadIdx.x] = 1; x[threadIdx.x] = s[0]; }

extern "C" __global__ void divergent_barrier(float* x) {
    if (threadIdx.x < 32) __syncthreads();
    else {
        x[threadIdx.x] = 1;
        __syncthreads();
    }
}
extern "C" __global__ void early_exit(int* x) {
    if (threadIdx.x >= 48) return;
    __syncthreads();
    x[threadIdx.x] = 1;
}
extern "C" __global__ void missing_lanes(int* x) { if (threadIdx.x < 16) x[threadIdx.x] = __shfl_sync(0xFFFFFFFFull, (int)threadIdx.x, 1); }

extern "C" __global__ void no_barrier(float* x) {
    __shared__ float s[256];
    int t = threadIdx.x;
    s[t] = t;
    x[t] = s[(t + 1) % 256];
}
extern "C" __global__ void with_barrier(float* x) {
    __shared__ float s[256];
    int t = threadIdx.x;
    s[t] = t;
    __syncthreads();
    x[t] = s[(t + 1) % 256];
}
extern "C" __global__ void shared_overflow(float* x) {
    __shared__ float s[64];
    s[threadIdx.x] = 1;
    __syncthreads();
    x[threadIdx.x] = s[0];
}
extern "C" __global__ void stale_shared(unsigned* x) { __shared__ unsigned s[64]; x[threadIdx.x] = s[threadIdx.x]; s[threadIdx.x] = 5; }
extern "C" __global__ void clocks(long long* x) { long long a = clock64(); x[0] = a; x[1] = wall_clock64() - a; }

struct Pair { char a; double b; };
extern "C" __global__ void packed(char c, double d, Pair p, short s, double* out) { out[0] = c; out[1] = d; out[2] = p.a; out[3] = p.b; out[4] = s; }

namespace inner {
template <typename T, int N>
__global__ void scaled(T* x) { x[threadIdx.x] = T(N) * threadIdx.x; }
template __global__ void scaled<float, 3>(float*);
__global__ void plain(int* x) { x[threadIdx.x] = hipThreadIdx_x + hipBlockDim_x; }
}

extern "C" __global__ void three_dimensions(int* x) {
    int i = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
    int b = blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);
    x[b * blockDim.x * blockDim.y * blockDim.z + i] = threadIdx.x + 10 * threadIdx.y + 100 * threadIdx.z + 1000 * b;
}

// Launched by host code of the module.
template <typename T>
__global__ void twice(T* x) { x[threadIdx.x] *= 2; }
extern "C" int host_launch(float* x, int n) {
    hipGetLastError();
    hipLaunchKernelGGL(HIP_KERNEL_NAME(twice<float>), dim3(1), dim3(n), 0, 0, x);
    twice<float><<<1, n>>>(x);
    inner::plain<<<dim3(1), dim3(n), 0, 0>>>((int*)x + n);
    return (int)hipGetLastError();
}
extern "C" int host_symbol(int* out) {
    int values[4] = {9, 8, 7, 6};
    if (hipMemcpyToSymbol(HIP_SYMBOL(table), values, sizeof values) != hipSuccess) return 1;
    return hipMemcpyFromSymbol(out, HIP_SYMBOL(table), sizeof values) != hipSuccess;
}

extern "C" __global__ void cross_block(float* x) { x[threadIdx.x] = blockIdx.x; }
extern "C" __global__ void no_second_barrier(const float* A, const float* B, float* C, int N) {
    __shared__ float As[TS][TS], Bs[TS][TS];
    int tx = threadIdx.x, ty = threadIdx.y, r = blockIdx.y * TS + ty, c = blockIdx.x * TS + tx;
    float s = 0;
    for (int t = 0; t < N / TS; t++) {
        As[ty][tx] = A[r * N + t * TS + tx];
        Bs[ty][tx] = B[(t * TS + ty) * N + c];
        __syncthreads();
        for (int k = 0; k < TS; k++) s += As[ty][k] * Bs[k][tx];
    }
    C[r * N + c] = s;
}
extern "C" __global__ void shift(int* x, int by) { x[0] = 1 << by; }
