#include <cuda_runtime.h>
template <int F, int V> struct P { static const int v = V; };
template <class T, int N> __global__ void k(int *p) { p[threadIdx.x] = N; }
__global__ void n0() {}
__global__ void s(int *p, int n) {}
struct O { void (*fn)(int *, int); void (*t[2])(int *, int); };
#define LAUNCH(name, g, b) do { name##_kernel<<<g, b>>>(p, 1); } while (0)
#define ONE s<<<1, 2>>>(p, 1)
#define TWO s<<<1, 2>>>(p, 1);
#define CFG(n) n, 32
#define CHECK(...) __VA_ARGS__; cudaGetLastError()
#define VA(k, g, ...) k<<<g, 64>>>(__VA_ARGS__);
__global__ void x_kernel(int *p, int n) {}
template <class T> void host(int *p, T t, cudaStream_t st) {
  k<P<3, (8 >> 1)>, 64><<<1, 64>>>(p);
  k<T, 64> <<< dim3(1, 2), dim3{2, 3} >>> (p);
  ::k<P<1, 2>, P<1, 2>::v><<<P<1, 2>::v, 64, P<1,2>::v, st>>>(p);
  n0<<<{1, 2}, 64>>>();
  n0<<<1, {64}>>>( );
  n0 <<< 1, 64 >>>
  (
  );
  void (*kp)(int *, int) = s;
  kp<<<1, 2>>>(p, 1);
  (*kp)<<<1, 2>>>(p, 1);
  O o; O *q = &o; o.fn = s; q->t[1] = s;
  o.fn<<<1, 2>>>(p, 1);
  q->t[1]<<<1, 2>>>(p, 1);
  if (p) s<<<1, 2>>>(p, 1); else s<<<2, 1>>>(p, 2);
  for (int i = 0; i < 3; ++i) s<<<i + 1, 2>>>(p, 1);
  switch (t) { case 1: s<<<1, 2>>>(p, 1); break; default: s<<<1,2>>>(p, 2); }
  again: s<<<1, 2>>>(p, 1);
  LAUNCH(x, 1, 2);
  ONE; TWO
  s<<<CFG(2)>>>(p, 1);
  CHECK(s<<<1, 2>>>(p, 1));
  VA(s, 1, p, 2)
  int a = 1, b = 2;
  s<<<a < b ? a : b, (a > b), a >> 1>>>(p, a < b);
  auto f = [=]() { s<<<1, 2, 0, st>>>(p, 1); };
  f();
  s<<<1, sizeof(P<1, 2>)>>>(p, 1);
  s<<<
#ifdef FOO
    1, 2
#else
    2, 2
#endif
  >>>(p, 1);
#pragma unroll
  for (;;) { s<<<dim3(a, b), b, cudaSuccess, cudaStreamPerThread>>>(p, 1); break; }
  s<<<1, // one
     2   // two
     >>>(p, // three
         1);
  s /* kernel */ <<< /* g */ 1, 2 >>> /* args */ (p, 1);
  (void)0, s<<<1,2>>>(p,1);
  goto again;
}
void all(int *p) { host(p, 1, 0); }
__global__ void z() {}
void more(int *p) {
  z<<<1, 2>>> /* none */ ();
  z<<<1, 2>>>(/* none */);
  s /* kernel */ <<< /* g */ 1, 2 /* two */ >>> (p, 1);
  s
  <<<1, 2>>>
  (p, 1);
}
