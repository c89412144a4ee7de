// golden: no-compile
#include <cstdio>
#include <cuda_runtime.h>

struct Mine { int type; };

void brag(int device, const void *data, Mine mine) {
    cudaDeviceProp p;
    cudaGetDeviceProperties(&p, device);
    std::printf("%s: %d units, %d\n", p.name, p.multiProcessorCount, p.singleToDoublePrecisionPerfRatio);
    std::printf("%d %d %zu\n", p.asyncEngineCount, p.sparseCudaArraySupported, p.sharedMemPerMultiprocessor);
    std::printf("%d\n", p.hostNumaId);
    cudaPointerAttributes a;
    cudaPointerGetAttributes(&a, data);
    std::printf("%d %d\n", a.type, mine.type);
}
