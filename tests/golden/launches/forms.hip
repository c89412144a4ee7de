#include <hip/hip_runtime.h>
template <int F, int V> struct P { static const int v = V; };
template <class T, int N> __global__ void k(int *p) { p[hipThreadIdx_x] = N; }
__global__ void n0() {}
__global__ void s(int *p, int n) {}
struct O { void (*fn)(int *, int); void (*t[2])(int *, int); };
#define LAUNCH(name, g, b) do { hipLaunchKernelGGL(name##_kernel, dim3(g), dim3(b), 0, 0, p, 1); } while (0)
#define ONE s<<<1, 2>>>(p, 1)
#define TWO hipLaunchKernelGGL(s, dim3(1), dim3(2), 0, 0, p, 1);
#define CFG(n) n, 32
#define CHECK(...) __VA_ARGS__; hipGetLastError()
#define VA(k, g, ...) hipLaunchKernelGGL(k, dim3(g), dim3(64), 0, 0, __VA_ARGS__);
__global__ void x_kernel(int *p, int n) {}
template <class T> void host(int *p, T t, hipStream_t st) {
  hipLaunchKernelGGL(HIP_KERNEL_NAME(k<P<3, (8 >> 1)>, 64>), dim3(1), dim3(64), 0, 0, p);
  hipLaunchKernelGGL(HIP_KERNEL_NAME(k<T, 64>), dim3(1, 2), dim3(dim3{2, 3}), 0, 0, p);
  hipLaunchKernelGGL(HIP_KERNEL_NAME(::k<P<1, 2>, P<1, 2>::v>), dim3(P<1, 2>::v), dim3(64), (P<1,2>::v), st, p);
  hipLaunchKernelGGL(n0, dim3(1, 2), dim3(64), 0, 0);
  hipLaunchKernelGGL(n0, dim3(1), dim3(64), 0, 0 );
  hipLaunchKernelGGL(n0, dim3(1), dim3(64), 0, 0
  );
  void (*kp)(int *, int) = s;
  hipLaunchKernelGGL(kp, dim3(1), dim3(2), 0, 0, p, 1);
  hipLaunchKernelGGL((*kp), dim3(1), dim3(2), 0, 0, p, 1);
  O o; O *q = &o; o.fn = s; q->t[1] = s;
  hipLaunchKernelGGL(o.fn, dim3(1), dim3(2), 0, 0, p, 1);
  hipLaunchKernelGGL(q->t[1], dim3(1), dim3(2), 0, 0, p, 1);
  if (p) hipLaunchKernelGGL(s, dim3(1), dim3(2), 0, 0, p, 1); else hipLaunchKernelGGL(s, dim3(2), dim3(1), 0, 0, p, 2);
  for (int i = 0; i < 3; ++i) hipLaunchKernelGGL(s, dim3(i + 1), dim3(2), 0, 0, p, 1);
  switch (t) { case 1: hipLaunchKernelGGL(s, dim3(1), dim3(2), 0, 0, p, 1); break; default: hipLaunchKernelGGL(s, dim3(1),dim3(2), 0, 0, p, 2); }
  again: hipLaunchKernelGGL(s, dim3(1), dim3(2), 0, 0, p, 1);
  LAUNCH(x, 1, 2);
  ONE; TWO
  s<<<CFG(2)>>>(p, 1);
  CHECK(s<<<1, 2>>>(p, 1));
  VA(s, 1, p, 2)
  int a = 1, b = 2;
  hipLaunchKernelGGL(s, dim3(a < b ? a : b), dim3(a > b), a >> 1, 0, p, a < b);
  auto f = [=]() { hipLaunchKernelGGL(s, dim3(1), dim3(2), 0, st, p, 1); };
  f();
  hipLaunchKernelGGL(s, dim3(1), dim3(sizeof(P<1, 2>)), 0, 0, p, 1);
  s<<<
#ifdef FOO
    1, 2
#else
    2, 2
#endif
  >>>(p, 1);
#pragma unroll
  for (;;) { hipLaunchKernelGGL(s, dim3(a, b), dim3(b), hipSuccess, hipStreamPerThread, p, 1); break; }
  hipLaunchKernelGGL(s, dim3(1), // one
     dim3(2   // two
     ), 0, 0, p, // three
         1);
  hipLaunchKernelGGL(s /* kernel */ , dim3( /* g */ 1), dim3(2), 0, 0, /* args */ p, 1);
  (void)0, s<<<1,2>>>(p,1);
  goto again;
}
void all(int *p) { host(p, 1, 0); }
__global__ void z() {}
void more(int *p) {
  hipLaunchKernelGGL(z, dim3(1), dim3(2), 0, 0 /* none */ );
  hipLaunchKernelGGL(z, dim3(1), dim3(2), 0, 0/* none */);
  hipLaunchKernelGGL(s /* kernel */ , dim3( /* g */ 1), dim3(2 /* two */ ), 0, 0, p, 1);
  hipLaunchKernelGGL(s,
  dim3(1), dim3(2), 0, 0,
  p, 1);
}
