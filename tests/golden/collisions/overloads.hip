// golden: no-compile
#include <hip/hip_runtime.h>

const char *word(hipError_t e);
const char *word(hipError_t e);

template <class E> struct Good;
template <> struct Good<hipError_t> { static constexpr bool known = true; };
template <> struct Good<hipError_t> { static constexpr bool known = true; };

void apart(hipStream_t s, hipError_t e);
void apart(hipStream_t s);

bool fine(int status) {
    switch (status) {
        case hipSuccess: return true;
        case hipSuccess: return true;
        default: return false;
    }
}
