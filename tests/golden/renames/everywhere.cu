cudaError_t *first();  // the very first token: nvcc has the runtime's names already, and hipcc gets the include in front

#define NEVER_USED(d, s, n) cudaMemcpyAsync((d), (s), (n), cudaMemcpyDefault, cudaStreamPerThread)
#define SPLIT(e)              \
    ((e) != cudaSuccess &&    \
     (e) != cudaErrorNotReady)

#if 0
int off = cudaHostAllocMapped;
#endif

using ::cudaMalloc;
template <cudaError_t (*F)(void *) = cudaFree> struct Drop { void operator()(void *p) { F(p); } };
static cudaError_t (*table[])(cudaStream_t) = {cudaStreamQuery, &::cudaStreamSynchronize};

auto lambda = [](cudaStream_t s) -> cudaError_t { return cudaStreamSynchronize(s); };

/* cudaMalloc in a comment stays, "so does" cudaFree */
const char *log_line = "cudaMalloc failed";

cudaError_t spl\
iced() { return cuda\
GetLastError(); }
