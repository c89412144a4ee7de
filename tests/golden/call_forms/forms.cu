#include <cuda_runtime.h>
#include <cuda.h>
#define CHECK(x) do { cudaError_t e_ = (x); (void)e_; } while (0)
template <class T, int N> __constant__ T tab[N];
__constant__ float w[12]; __device__ int scalar;
template <int W, class T> __global__ void wash(T *v) { v[threadIdx.x] *= W; }
__global__ void rinse(float *v) { v[threadIdx.x] = 0.f; }
struct K { void (*fn)(float*); };
#define UP(sym, ...) cudaMemcpyToSymbol(sym, __VA_ARGS__)
#define SETK(k, n) CHECK(cudaFuncSetAttribute(k, cudaFuncAttributeMaxDynamicSharedMemorySize, n))
template <class F> void occ(F f, int bs) {
  int n; cudaOccupancyMaxActiveBlocksPerMultiprocessor(&n, f, bs, 0);
  int g, b; cudaOccupancyMaxPotentialBlockSize(&g, &b, f, 0, 0);
  cudaOccupancyMaxPotentialBlockSize(&g, &b, f);
  cudaFuncSetCacheConfig(f, cudaFuncCachePreferL1);
}
void go(float *h, cudaStream_t s, K k, const float *hc) {
  cudaMemcpyToSymbol(w /* weights */, h, // from host
     sizeof(w));
  UP(w, h, sizeof(w));
  SETK(rinse, 1000);
  SETK((wash<2, float>), 1000);
  cudaMemcpyToSymbolAsync(w, h, 48, 0, cudaMemcpyHostToDevice, s);
  cudaMemcpyToSymbolAsync(w, h, 48);
  cudaMemcpyFromSymbolAsync(h, w, 48, 0);
  CHECK(cudaMemcpyToSymbol((tab<float, 4>), h, 16));
  cudaMemcpyToSymbol(tab<float, 4>, h, 16);
  void *p; size_t n; cudaGetSymbolAddress(&p, w); cudaGetSymbolSize(&n, scalar);
  cudaGetSymbolAddress((void**)&p, scalar);
  occ(rinse, 64); occ(wash<2, float>, 64);
  cudaFuncAttributes a; cudaFuncGetAttributes(&a, rinse); cudaFuncGetAttributes(&a, (const void*)rinse);
  cudaFuncGetAttributes(&a, k.fn);
  cudaFuncSetSharedMemConfig(wash<3, int>, cudaSharedMemBankSizeEightByte);
  void *args[] = {&h};
  cudaLaunchKernel((void*)rinse, 1, 32, args); cudaLaunchKernel(wash<2, float>, dim3(1), dim3(32), args, 0, s);
  cudaLaunchKernel(&rinse, dim3(1), dim3(32), args, 0, s);
  cudaLaunchCooperativeKernel(rinse, dim3(1), dim3(32), args);
  cudaLaunchCooperativeKernel((void*)wash<2, float>, dim3(1), dim3(32), args, 0, s);
  cudaLaunchCooperativeKernel(rinse, dim3(1), dim3(32), args, 12);
  cudaEvent_t e; cudaEventCreate(&e); cudaEventCreate(&e, cudaEventDisableTiming); cudaStreamWaitEvent(s, e);
  float *q, *hp; size_t pitch; cudaMallocPitch(&q, &pitch, 12, 12); cudaMallocPitch((void**)&q, &pitch, 12, 12);
  cudaMallocHost(&hp, 12); cudaMallocHost((void**)&hp, 12); cudaHostAlloc(&hp, 12, cudaHostAllocMapped); cudaHostGetDevicePointer(&q, hp, 0);
  cudaMallocHost(&hp, 12, cudaHostAllocMapped); cudaHostAlloc((void**)&hp, 12, cudaHostAllocDefault);
  auto grab = static_cast<cudaError_t (*)(void **, size_t)>(cudaMallocHost);
  cudaMallocManaged(&q, 12); cudaStreamAttachMemAsync(s, q);
  cudaGraph_t g; cudaGraphExec_t x; cudaGraphNode_t gn; cudaGraphInstantiate(&x, g); cudaGraphInstantiate(&x, g, NULL, NULL, 0);
  cudaGraphInstantiate(&x, g, 0);
  cudaGraphAddMemcpyNodeToSymbol(&gn, g, nullptr, 0, scalar, h, 4, 0, cudaMemcpyHostToDevice);
  cudaGraphAddMemcpyNodeFromSymbol(&gn, g, nullptr, 0, h, w, 4, 0, cudaMemcpyDeviceToHost);
  cudaStreamCaptureStatus st; unsigned long long id; cudaStreamGetCaptureInfo(s, &st, &id); cudaStreamGetCaptureInfo(s, &st);
  const cudaGraphNode_t *deps; size_t nd;
  cudaStreamGetCaptureInfo(s, &st, &id, &g, &deps, nullptr, &nd);
  cudaGraphAddDependencies(g, &gn, &gn, nullptr /* edges */, 1);
  cudaGraphNodeGetDependencies(gn, nullptr, // none
      nullptr, // edges
      &nd);
  cudaMemPrefetchAsync(q, 12, 0, s); cudaMemPrefetchAsync(q, 12, 0);
  cudaMemLocation loc; loc.type = cudaMemLocationTypeDevice; loc.id = 0;
  cudaMemPrefetchAsync(q, 12, loc, 0, s); cudaMemPrefetchAsync(q, 12, loc, 0); cudaMemAdvise(q, 12, cudaMemAdviseSetReadMostly, loc);
  cudaMemPrefetchAsync(q, 12, {cudaMemLocationTypeDevice, 0}, 0, s);
  cudaMemPrefetchAsync(q, 12, cudaMemLocation{cudaMemLocationTypeDevice, 0}, 0, s);
  cudaMemAdvise(q, 12, cudaMemAdviseSetReadMostly, {.type = cudaMemLocationTypeDevice, .id = 3});
  cudaMemAdvise(q, 12, cudaMemAdviseSetReadMostly, cudaCpuDeviceId);
  cudaArray_t arr; cudaChannelFormatDesc cd = cudaCreateChannelDesc<float>(); cudaMallocArray(&arr, &cd, 12, 12); cudaMalloc3DArray(&arr, &cd, make_cudaExtent(1,2,3));
  CUcontext c; CUdevice dev; cuDeviceGet(&dev, 0); cuCtxCreate(&c, 0, dev); cuCtxCreate(&c, nullptr, CU_CTX_SCHED_AUTO, dev);
  CUdeviceptr d; cuMemAlloc(&d, 12); cuMemcpyHtoD(d, hc, 12); cuMemcpyHtoD(d, h, 12); cuMemcpyHtoDAsync(d, hc + 2, 12, s); cuMemcpy(d, d, 12);
  const char *msg; CUresult r = cuInit(0); cuGetErrorString(r, &msg); if (cuGetErrorName(r, &msg) != CUDA_SUCCESS) return;
  CUmodule m; CUfunction f; cuModuleLoad(&m, "x"); cuModuleGetFunction(&f, m, "k");
  cuLaunchKernel(f, 1, 1, 1, 32, 1, 1, 0, s, args, nullptr); cuLaunchKernel(f, 1, 1, 1, 32, 1, 1, 0, 0, args, 0);
  cuMemAllocHost((void**)&hp, 12); cuMemHostAlloc((void**)&hp, 12, 0); CUstream cs; cuStreamCreate(&cs, 0); CUevent ce; cuEventCreate(&ce, 0);
  size_t tot; cuDeviceTotalMem(&tot, dev); char nm[9]; cuDeviceGetName(nm, 9, dev); cuCtxGetDevice(&dev); cuModuleGetGlobal(&d, &tot, m, "g");
  int v; cuDeviceGetAttribute(&v, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, dev); cuFuncGetAttribute(&v, CU_FUNC_ATTRIBUTE_NUM_REGS, f);
  cuMemsetD32(d, 0, 3); cuMemFreeHost(hp); cuMemFree(d);
}
