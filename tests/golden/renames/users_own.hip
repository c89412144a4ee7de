// Names that the source declares itself are not CUDA's.
#include <hip/hip_runtime.h>

namespace mine {
inline int cudaFree(void *p) { return p != nullptr; }
struct Codes { int cudaSuccess; static const int cudaErrorUnknown = 3; };
}

struct cudaGrid { int cells; };
static int cudaDevicesSeen = 0;
int cuRoundUp(double x) { return static_cast<int>(x + 0.5); }
#define cudaCheck(call) do { if ((call) != hipSuccess) return 1; } while (0)
#define CUDA_CHECK(call) cudaCheck(call)
using cudaNumber = double;
enum cudaMode { cudaModeFast, cudaModeSlow };

int f(mine::Codes c, mine::Codes *d, int cudaStream) {
    cudaNumber n = cuRoundUp(2.5);
    cudaMode m = cudaModeFast;
    void *p = nullptr;
    cudaCheck(hipMalloc(&p, 4));
    CUDA_CHECK(::hipFree(p));
    return c.cudaSuccess + d->cudaSuccess + mine::cudaFree(p) + mine::Codes::cudaErrorUnknown + cudaStream
           + cudaDevicesSeen + static_cast<int>(n) + static_cast<int>(m);
}

int shadow() {
    int cudaSuccess = 3;
    {
        int cudaErrorUnknown = cudaSuccess;
        cudaSuccess += cudaErrorUnknown;
    }
    return cudaSuccess;
}

int not_shadowed() { return hipSuccess; }
