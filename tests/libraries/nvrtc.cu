// Compile a kernel from a string with NVRTC, load it and launch it.
#include <cstdlib>
#include <iostream>
#include <string>
#include <cuda.h>
#include <nvrtc.h>

#define NVRTC_SAFE_CALL(x)                                                                    \
    do {                                                                                      \
        nvrtcResult result = x;                                                               \
        if (result != NVRTC_SUCCESS) {                                                        \
            std::cerr << "\nerror: " #x " failed with error " << nvrtcGetErrorString(result); \
            std::exit(1);                                                                     \
        }                                                                                     \
    } while (0)
#define CUDA_SAFE_CALL(x)                                                                     \
    do {                                                                                      \
        CUresult result = x;                                                                  \
        if (result != CUDA_SUCCESS) {                                                         \
            const char *msg;                                                                  \
            cuGetErrorName(result, &msg);                                                     \
            std::cerr << "\nerror: " #x " failed with error " << msg << '\n';                 \
            std::exit(1);                                                                     \
        }                                                                                     \
    } while (0)

const char *saxpy = "extern \"C\" __global__ void saxpy(float a, float *x, float *y, float *out, size_t n) {\n"
                    "  size_t tid = blockIdx.x * blockDim.x + threadIdx.x;\n"
                    "  if (tid < n) out[tid] = a * x[tid] + y[tid];\n"
                    "}\n";

int main() {
    const size_t threads = 128, blocks = 32;
    nvrtcProgram prog;
    NVRTC_SAFE_CALL(nvrtcCreateProgram(&prog, saxpy, "saxpy.cu", 0, NULL, NULL));
    const char *opts[] = {"--fmad=false"};
    nvrtcResult compiled = nvrtcCompileProgram(prog, 1, opts);
    size_t log_size;
    NVRTC_SAFE_CALL(nvrtcGetProgramLogSize(prog, &log_size));
    std::string log(log_size, '\0');
    NVRTC_SAFE_CALL(nvrtcGetProgramLog(prog, &log[0]));
    std::cout << log << '\n';
    if (compiled != NVRTC_SUCCESS) std::exit(1);
    size_t ptx_size;
    NVRTC_SAFE_CALL(nvrtcGetPTXSize(prog, &ptx_size));
    std::string ptx(ptx_size, '\0');
    NVRTC_SAFE_CALL(nvrtcGetPTX(prog, &ptx[0]));
    NVRTC_SAFE_CALL(nvrtcDestroyProgram(&prog));

    CUdevice device;
    CUcontext context;
    CUmodule module;
    CUfunction kernel;
    CUDA_SAFE_CALL(cuInit(0));
    CUDA_SAFE_CALL(cuDeviceGet(&device, 0));
    CUDA_SAFE_CALL(cuCtxCreate(&context, 0, device));
    CUDA_SAFE_CALL(cuModuleLoadDataEx(&module, ptx.data(), 0, 0, 0));
    CUDA_SAFE_CALL(cuModuleGetFunction(&kernel, module, "saxpy"));
    size_t n = threads * blocks, size = n * sizeof(float);
    float a = 5.1f;
    float *host = new float[n]();
    CUdeviceptr x, y, out;
    CUDA_SAFE_CALL(cuMemAlloc(&x, size));
    CUDA_SAFE_CALL(cuMemAlloc(&y, size));
    CUDA_SAFE_CALL(cuMemAlloc(&out, size));
    CUDA_SAFE_CALL(cuMemcpyHtoD(x, host, size));
    CUDA_SAFE_CALL(cuMemcpyHtoD(y, host, size));
    void *args[] = {&a, &x, &y, &out, &n};
    CUDA_SAFE_CALL(cuLaunchKernel(kernel, blocks, 1, 1, threads, 1, 1, 0, NULL, args, 0));
    CUDA_SAFE_CALL(cuCtxSynchronize());
    CUDA_SAFE_CALL(cuMemcpyDtoH(host, out, size));
    CUDA_SAFE_CALL(cuMemFree(x));
    CUDA_SAFE_CALL(cuMemFree(y));
    CUDA_SAFE_CALL(cuMemFree(out));
    CUDA_SAFE_CALL(cuModuleUnload(module));
    CUDA_SAFE_CALL(cuCtxDestroy(context));
    delete[] host;
    return 0;
}
