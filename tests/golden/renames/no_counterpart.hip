// golden: no-compile
#include <hip/hip_runtime.h>

void f(int device) {
    int yes = 0;
    hipDeviceGetAttribute(&yes, cudaDevAttrClusterLaunch, device);
    cudaFrobnicate(device);
}
