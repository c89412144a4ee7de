#include <hip/hip_runtime.h>
#include <cstdio>
#include <cstdint>
#include <vector>
#include <iostream>
struct Arena { hipDeviceptr_t base; size_t used; hipDeviceptr_t take(size_t n); };
hipDeviceptr_t Arena::take(size_t n) {
  hipDeviceptr_t p = (hipDeviceptr_t)((char*)base + used);
  used += n;
  if ((uintptr_t)p % 256 != 0) p = (hipDeviceptr_t)((char*)p + 256 - (uintptr_t)p % 256);
  p = (hipDeviceptr_t)(((uintptr_t)p + 255) & ~(uintptr_t)255);
  return (hipDeviceptr_t)((char*)this->base + (used - n));
}
hipDeviceptr_t root();
void use(hipDeviceptr_t a, hipDeviceptr_t b, size_t n) {
  Arena ar; std::vector<hipDeviceptr_t> all(3); hipDeviceptr_t arr[4]; hipDeviceptr_t *pp = arr;
  size_t d = (uintptr_t)b - (uintptr_t)a;
  size_t e = (uintptr_t)a;
  unsigned long long f = (unsigned long long)a + 3;
  hipMemsetD8((hipDeviceptr_t)((char*)a + n * 4), 0, n);
  hipMemcpyDtoD((hipDeviceptr_t)((char*)a + 4), (hipDeviceptr_t)((char*)b + n), n - 4);
  hipMemcpyHtoD((hipDeviceptr_t)(n + (char*)a), nullptr, n);
  all[0] = (hipDeviceptr_t)((char*)all[1] + n);
  arr[1] = (hipDeviceptr_t)((char*)arr[0] + sizeof(float) * n - 4);
  *pp = (hipDeviceptr_t)((char*)*pp + 4);
  pp = pp + 1; pp[1] = (hipDeviceptr_t)((char*)pp[1] + n);
  a = (hipDeviceptr_t)((char*)a + n);
  a = (hipDeviceptr_t)((char*)a - (n + 1));
  float *x = (float*)a + 3;
  float *y = (float*)((hipDeviceptr_t)((char*)a + 3 * sizeof(float)));
  float *z = reinterpret_cast<float*>((hipDeviceptr_t)((char*)ar.base + 16));
  if (a == 0 || !b || (uintptr_t)a > 0) return;
  if (a < b && (hipDeviceptr_t)((char*)a + n) <= b) return;
  printf("%llx %d\n", (unsigned long long)a, 3); std::cout << (unsigned long long)a << "\n";
  void *args[] = {&a, &b};
  hipDeviceptr_t q = (hipDeviceptr_t)((char*)(hipDeviceptr_t)x + 8); hipDeviceptr_t r = reinterpret_cast<hipDeviceptr_t>(x);
  size_t s = reinterpret_cast<size_t>(a); uintptr_t t = reinterpret_cast<uintptr_t>((void*)a);
  hipDeviceptr_t w = (hipDeviceptr_t)((char*)root() + 3); hipDeviceptr_t zero = 0, other = (hipDeviceptr_t)((char*)a + 1), third{};
  for (hipDeviceptr_t it = a; it < b; it = (hipDeviceptr_t)((char*)it + 16)) hipMemsetD32(it, 0, 4);
  hipDeviceptr_t cond = n ? (hipDeviceptr_t)((char*)a + n) : 0;
}
int a(int a, int b) { return a + b; }
