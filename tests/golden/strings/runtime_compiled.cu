// golden: no-compile
#include <cuda.h>
#include <nvrtc.h>
#include <dlfcn.h>
#include <cstdio>

static const char *SRC = R"cuda(
#include <cuda_fp16.h>
extern "C" __global__ void axpy(float a, float *x, float *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x; // not cudaMalloc
  if (i < n) y[i] += a * x[i];
}
)cuda";
#define BODY "extern \"C\" __global__ void f(int *p) {\n" \
             "\tp[threadIdx.x] = 1;\n" "}\n"
static const char *elsewhere = "__global__ void k(int *p) { p[threadIdx.x] = 1; }";
static const char *help = "mark kernels with __global__, then call cudaMalloc";
static const char *ptx = ".version 6.4\n.target sm_50\n.visible .entry k() { ret; }";

CUfunction build(const char *text, const char *name) {
  nvrtcProgram p;
  nvrtcCreateProgram(&p, text, "k.cu", 0, nullptr, nullptr);
  const char *opts[] = {"--gpu-architecture=compute_70", "--std=c++14", "-use_fast_math"};
  if (nvrtcCompileProgram(p, 3, opts) != NVRTC_SUCCESS) printf("nvrtcCompileProgram failed\n");
  CUmodule m;
  cuModuleLoad(&m, "kernels.ptx");
  CUfunction f;
  cuModuleGetFunction(&f, m, name);
  void *lib = dlopen("libcublas.so.11", RTLD_NOW);
  dlsym(lib, "cublasCreate_v2");
  dlsym(lib, "myFunction");
  return f;
}

int main() {
  build(SRC, "axpy");
  build(BODY, "f");
  nvrtcProgram q;
  nvrtcCreateProgram(&q, "__global__ void z(float *p) { p[blockIdx.y] = 0; }", 0, 0, 0, 0);
}
