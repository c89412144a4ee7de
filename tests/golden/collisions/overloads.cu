// golden: no-compile
#include <cuda.h>
#include <cuda_runtime.h>

const char *word(cudaError_t e);
const char *word(CUresult e);

template <class E> struct Good;
template <> struct Good<cudaError_t> { static constexpr bool known = true; };
template <> struct Good<CUresult> { static constexpr bool known = true; };

void apart(cudaStream_t s, cudaError_t e);
void apart(CUstream s);

bool fine(int status) {
    switch (status) {
        case cudaSuccess: return true;
        case CUDA_SUCCESS: return true;
        default: return false;
    }
}
