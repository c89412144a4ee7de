#include <hip/hip_runtime.h>

texture<float, 2, hipReadModeElementType> relief;

__global__ void sample(float *out, int w) { out[hipThreadIdx_x] = tex2D(relief, hipThreadIdx_x % w + 0.5f, hipThreadIdx_x / w + 0.5f); }

void shade(float *out, hipArray_t hills, int w) {
    relief.filterMode = hipFilterModeLinear;
    relief.addressMode[0] = hipAddressModeClamp;
    hipChannelFormatDesc d = hipCreateChannelDesc<float>();
    hipBindTextureToArray(relief, hills, d);
    hipLaunchKernelGGL(sample, dim3(1), dim3(64), 0, 0, out, w);
    hipUnbindTexture(relief);
}

__global__ void object(hipTextureObject_t texture, float *out) { out[0] = tex2D<float>(texture, 0.5f, 0.5f); }
