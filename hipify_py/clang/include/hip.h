// What HIP adds to the language, and what our own rules write.
#define HIP_VERSION_MAJOR 6
#define HIP_VERSION_MINOR 4
#define HIP_VERSION_PATCH 0
#define HIP_VERSION 60400000
#define HIP_SYMBOL(X) X
#define HIP_KERNEL_NAME(...) __VA_ARGS__
#define HIP_DYNAMIC_SHARED(type, var) extern __shared__ type var[];
#define HIP_VECTOR_TYPE(T, n) T##n
#define __hipify_launch(k, g, b, s, st, ...) do { k<<<(g), (b), (s), (st)>>>(__VA_ARGS__); } while (0)
#define hipLaunchKernelGGL(k, ...) __hipify_launch((k), __VA_ARGS__)
#define hipLaunchKernel_GGL(k, ...) __hipify_launch((k), __VA_ARGS__)
typedef unsigned short hipblasHalf;
#ifdef __cplusplus
extern const __device__ unsigned hipThreadIdx_x, hipThreadIdx_y, hipThreadIdx_z;
extern const __device__ unsigned hipBlockIdx_x, hipBlockIdx_y, hipBlockIdx_z;
extern const __device__ unsigned hipBlockDim_x, hipBlockDim_y, hipBlockDim_z;
extern const __device__ unsigned hipGridDim_x, hipGridDim_y, hipGridDim_z;
#endif
