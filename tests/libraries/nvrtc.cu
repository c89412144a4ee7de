// A kernel template out of a string: compiled by NVRTC for one type, loaded by the driver and launched.
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>
#include <cuda.h>
#include <nvrtc.h>

static const char *const source = R"(
template <typename T>
__global__ void polynomial(const T *x, T *y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = (x[i] + T(2)) * x[i] + T(1);
}
)";

static void require(nvrtcResult result, const char *what) {
    if (result == NVRTC_SUCCESS) return;
    std::fprintf(stderr, "%s: %s\n", what, nvrtcGetErrorString(result));
    std::exit(1);
}

static void require(CUresult result, const char *what) {
    const char *reason = nullptr;
    if (result == CUDA_SUCCESS) return;
    cuGetErrorString(result, &reason);
    std::fprintf(stderr, "%s: %s\n", what, reason);
    std::exit(1);
}

static std::vector<char> compiled(const char *kernel, std::string &symbol) {
    nvrtcProgram program;
    require(nvrtcCreateProgram(&program, source, "polynomial.cu", 0, nullptr, nullptr), "create");
    require(nvrtcAddNameExpression(program, kernel), "name");
    const nvrtcResult status = nvrtcCompileProgram(program, 0, nullptr);
    size_t length = 0;
    require(nvrtcGetProgramLogSize(program, &length), "size of the log");
    std::string log(length, ' ');
    require(nvrtcGetProgramLog(program, &log[0]), "log");
    if (status != NVRTC_SUCCESS) std::fputs(log.c_str(), stderr);
    require(status, "compile");
    const char *lowered = nullptr;
    require(nvrtcGetLoweredName(program, kernel, &lowered), "lowered name");
    symbol = lowered;
    require(nvrtcGetPTXSize(program, &length), "size of the code");
    std::vector<char> code(length);
    require(nvrtcGetPTX(program, code.data()), "code");
    require(nvrtcDestroyProgram(&program), "destroy");
    return code;
}

int main() {
    const int n = 1000, threads = 64;
    std::vector<float> x(n, 3.0f), y(n);
    CUdevice device;
    CUcontext context;
    CUmodule module;
    CUfunction function;
    CUdeviceptr dx, dy;
    require(cuInit(0), "init");
    require(cuDeviceGet(&device, 0), "device");
    require(cuDevicePrimaryCtxRetain(&context, device), "context");
    require(cuCtxSetCurrent(context), "current");
    std::string symbol;
    const std::vector<char> code = compiled("polynomial<float>", symbol);
    require(cuModuleLoadDataEx(&module, code.data(), 0, nullptr, nullptr), "load");
    require(cuModuleGetFunction(&function, module, symbol.c_str()), "function");
    require(cuMemAlloc(&dx, n * sizeof(float)), "allocate x");
    require(cuMemAlloc(&dy, n * sizeof(float)), "allocate y");
    require(cuMemcpyHtoD(dx, x.data(), n * sizeof(float)), "copy x");
    int count = n;
    void *arguments[] = {&dx, &dy, &count};
    require(cuLaunchKernel(function, (n + threads - 1) / threads, 1, 1, threads, 1, 1, 0, nullptr, arguments, nullptr), "launch");
    require(cuCtxSynchronize(), "synchronize");
    require(cuMemcpyDtoH(y.data(), dy, n * sizeof(float)), "copy y");
    std::printf("%g\n", y[n - 1]);
    require(cuMemFree(dx), "free x");
    require(cuMemFree(dy), "free y");
    require(cuModuleUnload(module), "unload");
    require(cuDevicePrimaryCtxRelease(device), "release");
    return 0;
}
