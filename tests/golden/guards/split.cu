#if defined(__CUDACC__)
#include <cuda_runtime.h>
using Lanes = unsigned;
#elif defined(__HIPCC__)
#include <hip/hip_runtime.h>
using Lanes = unsigned long long;
#endif

#if defined(__CUDACC__) || defined(__HIPCC__)
__device__ int lane() { return threadIdx.x % warpSize; }
#endif

__global__ void count(Lanes *votes, const int *v) {
#ifdef __CUDACC__
    votes[lane()] = __ballot_sync(0xffffffffu, v[threadIdx.x] > 0);
#else
    votes[lane()] = __ballot(v[threadIdx.x] > 0);
#endif
}

int plan(int device) {
    int yes = 0;
#ifndef __HIP_PLATFORM_AMD__
    cudaDeviceGetAttribute(&yes, cudaDevAttrClusterLaunch, device);
#endif
    return cudaSetDevice(device) == cudaSuccess ? yes : -1;
}
