#include <cuda.h>
#include <cstdio>
#include <cstdint>
#include <vector>
#include <iostream>
struct Arena { CUdeviceptr base; size_t used; CUdeviceptr take(size_t n); };
CUdeviceptr Arena::take(size_t n) {
  CUdeviceptr p = base + used;
  used += n;
  if (p % 256 != 0) p += 256 - p % 256;
  p = (p + 255) & ~(CUdeviceptr)255;
  return this->base + (used - n);
}
CUdeviceptr root();
void use(CUdeviceptr a, CUdeviceptr b, size_t n) {
  Arena ar; std::vector<CUdeviceptr> all(3); CUdeviceptr arr[4]; CUdeviceptr *pp = arr;
  size_t d = b - a;
  size_t e = a;
  unsigned long long f = (unsigned long long)a + 3;
  cuMemsetD8(a + n * 4, 0, n);
  cuMemcpyDtoD(a + 4, b + n, n - 4);
  cuMemcpyHtoD(n + a, nullptr, n);
  all[0] = all[1] + n;
  arr[1] = arr[0] + sizeof(float) * n - 4;
  *pp = *pp + 4;
  pp = pp + 1; pp[1] += n;
  a += n;
  a -= n + 1;
  float *x = (float*)a + 3;
  float *y = (float*)(a + 3 * sizeof(float));
  float *z = reinterpret_cast<float*>(ar.base + 16);
  if (a == 0 || !b || a > 0) return;
  if (a < b && a + n <= b) return;
  printf("%llx %d\n", a, 3); std::cout << a << "\n";
  void *args[] = {&a, &b};
  CUdeviceptr q = (CUdeviceptr)x + 8; CUdeviceptr r = reinterpret_cast<CUdeviceptr>(x);
  size_t s = static_cast<size_t>(a); uintptr_t t = reinterpret_cast<uintptr_t>((void*)a);
  CUdeviceptr w = root() + 3; CUdeviceptr zero = 0, other = a + 1, third{};
  for (CUdeviceptr it = a; it < b; it += 16) cuMemsetD32(it, 0, 4);
  CUdeviceptr cond = n ? a + n : 0;
}
int a(int a, int b) { return a + b; }
