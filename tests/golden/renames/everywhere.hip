#include <hip/hip_runtime.h>

hipError_t *first();  // the very first token: nvcc has the runtime's names already, and hipcc gets the include in front

#define NEVER_USED(d, s, n) hipMemcpyAsync((d), (s), (n), hipMemcpyDefault, hipStreamPerThread)
#define SPLIT(e)              \
    ((e) != hipSuccess &&    \
     (e) != hipErrorNotReady)

#if 0
int off = hipHostMallocMapped;
#endif

using ::hipMalloc;
template <hipError_t (*F)(void *) = hipFree> struct Drop { void operator()(void *p) { F(p); } };
static hipError_t (*table[])(hipStream_t) = {hipStreamQuery, &::hipStreamSynchronize};

auto lambda = [](hipStream_t s) -> hipError_t { return hipStreamSynchronize(s); };

/* cudaMalloc in a comment stays, "so does" cudaFree */
const char *log_line = "cudaMalloc failed";

hipError_t spl\
iced() { return hipGetLastError(); }
