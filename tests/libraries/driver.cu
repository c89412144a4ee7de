// Load a module with the driver API, set a constant in it and launch its kernel on a stream.
#include <cstdio>
#include <cstdlib>
#include <vector>
#include <cuda.h>

static void check(CUresult result, const char *file, int line) {
    if (result == CUDA_SUCCESS) return;
    const char *name = nullptr, *text = nullptr;
    cuGetErrorName(result, &name);
    cuGetErrorString(result, &text);
    std::fprintf(stderr, "%s:%d: %s (%s)\n", file, line, name, text);
    std::exit(result == CUDA_ERROR_OUT_OF_MEMORY || result == CUDA_ERROR_FILE_NOT_FOUND ? 2 : 1);
}
#define CHECK(call) check((call), __FILE__, __LINE__)

int main(int argc, char **argv) {
    CHECK(cuInit(0));
    int count = 0, version = 0, major = 0, minor = 0;
    CHECK(cuDeviceGetCount(&count));
    CHECK(cuDriverGetVersion(&version));
    if (count == 0) return 1;
    CUdevice device;
    char name[256];
    size_t total = 0, free_bytes = 0;
    CHECK(cuDeviceGet(&device, 0));
    CHECK(cuDeviceGetName(name, sizeof(name), device));
    CHECK(cuDeviceTotalMem(&total, device));
    CHECK(cuDeviceGetAttribute(&major, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, device));
    CHECK(cuDeviceGetAttribute(&minor, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, device));

    CUcontext context;
    CHECK(cuDevicePrimaryCtxRetain(&context, device));
    CHECK(cuCtxSetCurrent(context));
    CHECK(cuMemGetInfo(&free_bytes, &total));
    CUmodule module;
    CUfunction kernel;
    CUdeviceptr factor, data;
    size_t bytes = 0;
    CHECK(cuModuleLoad(&module, argc > 1 ? argv[1] : "scale.fatbin"));
    CHECK(cuModuleGetFunction(&kernel, module, "scale"));
    CHECK(cuModuleGetGlobal(&factor, &bytes, module, "factor"));
    const float value = 2.0f;
    CHECK(cuMemcpyHtoD(factor, &value, sizeof(value)));

    const int n = 1 << 16;
    std::vector<float> host(n, 1.0f);
    CUstream stream;
    CUevent start, stop;
    CHECK(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
    CHECK(cuEventCreate(&start, CU_EVENT_DEFAULT));
    CHECK(cuEventCreate(&stop, CU_EVENT_DEFAULT));
    CHECK(cuMemAlloc(&data, n * sizeof(float)));
    CHECK(cuMemsetD32(data, 0, n));
    CHECK(cuMemcpyHtoDAsync(data, host.data(), n * sizeof(float), stream));
    CHECK(cuEventRecord(start, stream));
    int length = n;
    void *arguments[] = {&data, &length};
    CHECK(cuLaunchKernel(kernel, (n + 255) / 256, 1, 1, 256, 1, 1, 0, stream, arguments, nullptr));
    CHECK(cuEventRecord(stop, stream));
    CHECK(cuMemcpyDtoHAsync(host.data(), data, n * sizeof(float), stream));
    CHECK(cuStreamSynchronize(stream));
    float milliseconds = 0.0f;
    CHECK(cuEventElapsedTime(&milliseconds, start, stop));
    std::printf("%s (%d.%d, driver %d): %g in %g ms\n", name, major, minor, version, host[0], milliseconds);

    CHECK(cuMemFree(data));
    CHECK(cuEventDestroy(start));
    CHECK(cuEventDestroy(stop));
    CHECK(cuStreamDestroy(stream));
    CHECK(cuModuleUnload(module));
    CHECK(cuDevicePrimaryCtxRelease(device));
    return 0;
}
