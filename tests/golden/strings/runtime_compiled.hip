// golden: no-compile
#include <hip/hip_runtime.h>
#include <hip/hiprtc.h>
#include <dlfcn.h>
#include <cstdio>

static const char *SRC = R"cuda(
#include <hip/hip_fp16.h>
extern "C" __global__ void axpy(float a, float *x, float *y, int n) {
  int i = hipBlockIdx_x * hipBlockDim_x + hipThreadIdx_x; // not cudaMalloc
  if (i < n) y[i] += a * x[i];
}
)cuda";
#define BODY "extern \"C\" __global__ void f(int *p) {\n" \
             "\tp[hipThreadIdx_x] = 1;\n" "}\n"
static const char *elsewhere = "__global__ void k(int *p) { p[threadIdx.x] = 1; }";
static const char *help = "mark kernels with __global__, then call cudaMalloc";
static const char *ptx = ".version 6.4\n.target sm_50\n.visible .entry k() { ret; }";

hipFunction_t build(const char *text, const char *name) {
  hiprtcProgram p;
  hiprtcCreateProgram(&p, text, "k.cu", 0, nullptr, nullptr);
  const char *opts[] = {"--gpu-architecture=compute_70", "--std=c++14", "-use_fast_math"};
  if (hiprtcCompileProgram(p, 3, opts) != HIPRTC_SUCCESS) printf("nvrtcCompileProgram failed\n");
  hipModule_t m;
  hipModuleLoad(&m, "kernels.ptx");
  hipFunction_t f;
  hipModuleGetFunction(&f, m, name);
  void *lib = dlopen("libcublas.so.11", RTLD_NOW);
  dlsym(lib, "cublasCreate_v2");
  dlsym(lib, "myFunction");
  return f;
}

int main() {
  build(SRC, "axpy");
  build(BODY, "f");
  hiprtcProgram q;
  hiprtcCreateProgram(&q, "__global__ void z(float *p) { p[hipBlockIdx_y] = 0; }", 0, 0, 0, 0);
}
