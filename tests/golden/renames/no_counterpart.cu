// golden: no-compile
#include <cuda_runtime.h>

void f(int device) {
    int yes = 0;
    cudaDeviceGetAttribute(&yes, cudaDevAttrClusterLaunch, device);
    cudaFrobnicate(device);
}
