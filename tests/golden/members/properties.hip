// golden: no-compile
#include <cstdio>
#include <hip/hip_runtime.h>

struct Mine { int type; };

void brag(int device, const void *data, Mine mine) {
    hipDeviceProp_t p;
    hipGetDeviceProperties(&p, device);
    std::printf("%s: %d units, %d\n", p.name, p.multiProcessorCount, p.singleToDoublePrecisionPerfRatio);
    std::printf("%d %d %zu\n", p.asyncEngineCount, p.sparseHipArraySupported, p.sharedMemPerMultiprocessor);
    std::printf("%d\n", p.hostNumaId);
    hipPointerAttribute_t a;
    hipPointerGetAttributes(&a, data);
    std::printf("%d %d\n", a.type, mine.type);
}
