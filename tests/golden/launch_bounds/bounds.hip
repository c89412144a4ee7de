#include <hip/hip_runtime.h>

#define BOUNDS(t, b) __launch_bounds__(t, b)

template <int T, int B>
__global__ void __launch_bounds__(T, B) press(float *v) { v[hipThreadIdx_x] += 1.f; }

__global__ __launch_bounds__(128) void fold(float *v) { v[hipThreadIdx_x] *= 2.f; }
__global__ __launch_bounds__(128, 1) void iron(float *v) { v[hipThreadIdx_x] *= 2.f; }
__global__ __launch_bounds__(256, 8) void wash(float *v) { v[hipThreadIdx_x] *= 2.f; }
__global__ __launch_bounds__(1024, 2) void spin(float *v) { v[hipThreadIdx_x] *= 2.f; }
__global__ BOUNDS(256, 2) void dry(float *v) { v[hipThreadIdx_x] *= 2.f; }
