#include <hip/hip_runtime.h>
#define CHECK(x) do { hipError_t e_ = (x); (void)e_; } while (0)
template <class T, int N> __constant__ T tab[N];
__constant__ float w[12]; __device__ int scalar;
template <int W, class T> __global__ void wash(T *v) { v[hipThreadIdx_x] *= W; }
__global__ void rinse(float *v) { v[hipThreadIdx_x] = 0.f; }
struct K { void (*fn)(float*); };
#define UP(sym, ...) hipMemcpyToSymbol(HIP_SYMBOL(sym), __VA_ARGS__)
#define SETK(k, n) CHECK(hipFuncSetAttribute(reinterpret_cast<const void*>(k), hipFuncAttributeMaxDynamicSharedMemorySize, n))
template <class F> void occ(F f, int bs) {
  int n; hipOccupancyMaxActiveBlocksPerMultiprocessor(&n, f, bs, 0);
  int g, b; hipOccupancyMaxPotentialBlockSize(&g, &b, f, 0, 0);
  hipOccupancyMaxPotentialBlockSize(&g, &b, f);
  hipFuncSetCacheConfig(reinterpret_cast<const void*>(f), hipFuncCachePreferL1);
}
void go(float *h, hipStream_t s, K k, const float *hc) {
  hipMemcpyToSymbol(HIP_SYMBOL(w) /* weights */, h, // from host
     sizeof(w));
  UP(w, h, sizeof(w));
  SETK(rinse, 1000);
  SETK((wash<2, float>), 1000);
  hipMemcpyToSymbolAsync(HIP_SYMBOL(w), h, 48, 0, hipMemcpyHostToDevice, s);
  hipMemcpyToSymbolAsync(HIP_SYMBOL(w), h, 48, 0, hipMemcpyHostToDevice);
  hipMemcpyFromSymbolAsync(h, HIP_SYMBOL(w), 48, 0, hipMemcpyDeviceToHost);
  CHECK(hipMemcpyToSymbol(HIP_SYMBOL((tab<float, 4>)), h, 16));
  hipMemcpyToSymbol(HIP_SYMBOL((tab<float, 4>)), h, 16);
  void *p; size_t n; hipGetSymbolAddress(&p, HIP_SYMBOL(w)); hipGetSymbolSize(&n, HIP_SYMBOL(scalar));
  hipGetSymbolAddress((void**)&p, HIP_SYMBOL(scalar));
  occ(rinse, 64); occ(wash<2, float>, 64);
  hipFuncAttributes a; hipFuncGetAttributes(&a, reinterpret_cast<const void*>(rinse)); hipFuncGetAttributes(&a, (const void*)rinse);
  hipFuncGetAttributes(&a, reinterpret_cast<const void*>(k.fn));
  hipFuncSetSharedMemConfig(reinterpret_cast<const void*>(wash<3, int>), hipSharedMemBankSizeEightByte);
  void *args[] = {&h};
  hipLaunchKernel((void*)rinse, 1, 32, args); hipLaunchKernel(reinterpret_cast<const void*>(wash<2, float>), dim3(1), dim3(32), args, 0, s);
  hipLaunchKernel(reinterpret_cast<const void*>(&rinse), dim3(1), dim3(32), args, 0, s);
  hipLaunchCooperativeKernel(rinse, dim3(1), dim3(32), args, 0, 0);
  hipLaunchCooperativeKernel((void*)wash<2, float>, dim3(1), dim3(32), args, 0, s);
  hipLaunchCooperativeKernel(rinse, dim3(1), dim3(32), args, 12, 0);
  hipEvent_t e; hipEventCreate(&e); hipEventCreateWithFlags(&e, hipEventDisableTiming); hipStreamWaitEvent(s, e, 0);
  float *q, *hp; size_t pitch; hipMallocPitch(reinterpret_cast<void**>(&q), &pitch, 12, 12); hipMallocPitch((void**)&q, &pitch, 12, 12);
  hipHostMalloc(&hp, 12); hipHostMalloc((void**)&hp, 12); hipHostMalloc(&hp, 12, hipHostMallocMapped); hipHostGetDevicePointer(reinterpret_cast<void**>(&q), hp, 0);
  hipHostMalloc(&hp, 12, hipHostMallocMapped); hipHostMalloc((void**)&hp, 12, hipHostMallocDefault);
  auto grab = static_cast<hipError_t (*)(void **, size_t)>(hipMallocHost);
  hipMallocManaged(&q, 12); hipStreamAttachMemAsync(s, q);
  hipGraph_t g; hipGraphExec_t x; hipGraphNode_t gn; hipGraphInstantiate(&x, g, nullptr, nullptr, 0); hipGraphInstantiate(&x, g, NULL, NULL, 0);
  hipGraphInstantiateWithFlags(&x, g, 0);
  hipGraphAddMemcpyNodeToSymbol(&gn, g, nullptr, 0, &scalar, h, 4, 0, hipMemcpyHostToDevice);
  hipGraphAddMemcpyNodeFromSymbol(&gn, g, nullptr, 0, h, &w, 4, 0, hipMemcpyDeviceToHost);
  hipStreamCaptureStatus st; unsigned long long id; hipStreamGetCaptureInfo(s, &st, &id); hipStreamGetCaptureInfo(s, &st, nullptr);
  const hipGraphNode_t *deps; size_t nd;
  hipStreamGetCaptureInfo_v2(s, &st, &id, &g, &deps, &nd);
  hipGraphAddDependencies(g, &gn, &gn,  /* edges */ 1);
  hipGraphNodeGetDependencies(gn, nullptr, // none
       // edges
      &nd);
  hipMemPrefetchAsync(q, 12, 0, s); hipMemPrefetchAsync(q, 12, 0);
  hipMemLocation loc; loc.type = hipMemLocationTypeDevice; loc.id = 0;
  hipMemPrefetchAsync(q, 12, loc.id, s); hipMemPrefetchAsync(q, 12, loc.id); hipMemAdvise(q, 12, hipMemAdviseSetReadMostly, loc.id);
  hipMemPrefetchAsync(q, 12, 0, s);
  hipMemPrefetchAsync(q, 12, hipMemLocation{hipMemLocationTypeDevice, 0}.id, s);
  hipMemAdvise(q, 12, hipMemAdviseSetReadMostly, 3);
  hipMemAdvise(q, 12, hipMemAdviseSetReadMostly, hipCpuDeviceId);
  hipArray_t arr; hipChannelFormatDesc cd = hipCreateChannelDesc<float>(); hipMallocArray(&arr, &cd, 12, 12); hipMalloc3DArray(&arr, &cd, make_hipExtent(1,2,3), hipArrayDefault);
  hipCtx_t c; hipDevice_t dev; hipDeviceGet(&dev, 0); hipCtxCreate(&c, 0, dev); hipCtxCreate(&c, hipDeviceScheduleAuto, dev);
  hipDeviceptr_t d; hipMalloc(&d, 12); hipMemcpyHtoD(d, (void*)hc, 12); hipMemcpyHtoD(d, h, 12); hipMemcpyHtoDAsync(d, (void*)(hc + 2), 12, s); hipMemcpy(d, d, 12, hipMemcpyDefault);
  const char *msg; hipError_t r = hipInit(0); (msg = hipGetErrorString(r), hipSuccess); if ((msg = hipGetErrorName(r), hipSuccess) != hipSuccess) return;
  hipModule_t m; hipFunction_t f; hipModuleLoad(&m, "x"); hipModuleGetFunction(&f, m, "k");
  hipModuleLaunchKernel(f, 1, 1, 1, 32, 1, 1, 0, s, args, nullptr); hipModuleLaunchKernel(f, 1, 1, 1, 32, 1, 1, 0, 0, args, 0);
  hipHostMalloc((void**)&hp, 12, 0); hipHostMalloc((void**)&hp, 12, 0); hipStream_t cs; hipStreamCreateWithFlags(&cs, 0); hipEvent_t ce; hipEventCreateWithFlags(&ce, 0);
  size_t tot; hipDeviceTotalMem(&tot, dev); char nm[9]; hipDeviceGetName(nm, 9, dev); hipCtxGetDevice(&dev); hipModuleGetGlobal(&d, &tot, m, "g");
  int v; hipDeviceGetAttribute(&v, hipDeviceAttributeMultiprocessorCount, dev); hipFuncGetAttribute(&v, HIP_FUNC_ATTRIBUTE_NUM_REGS, f);
  hipMemsetD32(d, 0, 3); hipHostFree(hp); hipFree(d);
}
