// HIP for a CPU: the keywords, built-ins, math, atomics and collectives of device code, and the launches of host code.
#pragma once

#include <assert.h>
#include <limits.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>

#define __HIP_PLATFORM_AMD__ 1
#define __HIPCC__ 1
#define __HIP__ 1
#define __HIP_DEVICE_COMPILE__ 1
#define __HIP_CPU_RT__ 1
#define __HIPIFY_PY_CPU__ 1
#define __AMDGCN_WAVEFRONT_SIZE HIPCPU_WAVE
#define __AMDGCN_WAVEFRONT_SIZE__ HIPCPU_WAVE

#include "hip/hip_runtime_api.h"
#include "hipcpu/module.h"

// ---- keywords

#define __global__ __attribute__((visibility("default")))
#define __device__
#define __host__
#define __constant__
#define __managed__
#define __grid_constant__
// The builder turns the declarations that it can see into places of the block's memory. What it cannot see, inside a
// macro, lies in the memory of the thread that runs the block, which comes to the same but for the guard pages.
#define __shared__ static thread_local
#define __forceinline__ inline __attribute__((always_inline))
// Empty, not an attribute: the headers of libstdc++ write `__attribute__((__noinline__))`.
#define __noinline__
#define __launch_bounds__(...)
#define __align__(n) __attribute__((aligned(n)))
#ifndef __restrict__
#define __restrict__ __restrict
#endif
#define HIP_DYNAMIC_SHARED(type, name) type* name = ::hipcpu::dynamic_shared<type>();
#define HIP_DYNAMIC_SHARED_ATTRIBUTE
#define HIP_KERNEL_NAME(...) __VA_ARGS__
#define HIP_SYMBOL(x) (&(x))
#define HIP_INIT_VALUE(type, value) value

// ---- built-in variables

static constexpr int warpSize = HIPCPU_WAVE;
#define hipThreadIdx_x (threadIdx.x)
#define hipThreadIdx_y (threadIdx.y)
#define hipThreadIdx_z (threadIdx.z)
#define hipBlockIdx_x (blockIdx.x)
#define hipBlockIdx_y (blockIdx.y)
#define hipBlockIdx_z (blockIdx.z)
#define hipBlockDim_x (blockDim.x)
#define hipBlockDim_y (blockDim.y)
#define hipBlockDim_z (blockDim.z)
#define hipGridDim_x (gridDim.x)
#define hipGridDim_y (gridDim.y)
#define hipGridDim_z (gridDim.z)

// ---- launches

#define hipLaunchKernelGGL(kernel, grid, block, shared, stream, ...) \
    ::hipcpu::configure(kernel, grid, block, shared, stream)(__VA_ARGS__)

template <class... P>
static inline hipError_t hipOccupancyMaxPotentialBlockSize(int* grid, int* block, void (*kernel)(P...), size_t shared = 0, int limit = 0) {
    return ::hipOccupancyMaxPotentialBlockSize(grid, block, reinterpret_cast<const void*>(kernel), shared, limit);
}
template <class... P>
static inline hipError_t hipOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, void (*kernel)(P...), int block, size_t shared) {
    return ::hipOccupancyMaxActiveBlocksPerMultiprocessor(blocks, reinterpret_cast<const void*>(kernel), block, shared);
}
template <class... P>
static inline hipError_t hipFuncSetAttribute(void (*kernel)(P...), hipFuncAttribute attribute, int value) {
    return ::hipFuncSetAttribute(reinterpret_cast<const void*>(kernel), attribute, value);
}
template <class... P>
static inline hipError_t hipLaunchCooperativeKernel(void (*kernel)(P...), dim3 grid, dim3 block, void** arguments, unsigned shared = 0, hipStream_t stream = nullptr) {
    return ::hipLaunchCooperativeKernel(reinterpret_cast<const void*>(kernel), grid, block, arguments, shared, stream);
}
template <class... P>
static inline hipError_t hipLaunchKernel(void (*kernel)(P...), dim3 grid, dim3 block, void** arguments, size_t shared = 0, hipStream_t stream = nullptr) {
    return ::hipLaunchKernel(reinterpret_cast<const void*>(kernel), grid, block, arguments, shared, stream);
}
static inline hipError_t hipLaunchKernel(const void* kernel, dim3 grid, dim3 block, void** arguments) {
    return ::hipLaunchKernel(kernel, grid, block, arguments, 0, nullptr);
}
static inline hipError_t hipGetDeviceProperties(hipDeviceProp_t* properties, int device) {
    return hipGetDevicePropertiesR0600(properties, device);
}
// The C++ forms of host code: pointers of any type, and arguments left out.
template <class T>
static inline hipError_t hipMalloc(T** p, size_t n) { return ::hipMalloc(reinterpret_cast<void**>(p), n); }
template <class T>
static inline hipError_t hipMallocManaged(T** p, size_t n, unsigned flags = hipMemAttachGlobal) {
    return ::hipMallocManaged(reinterpret_cast<void**>(p), n, flags);
}
template <class T>
static inline hipError_t hipHostMalloc(T** p, size_t n, unsigned flags = 0) { return ::hipHostMalloc(reinterpret_cast<void**>(p), n, flags); }
template <class T>
static inline hipError_t hipHostAlloc(T** p, size_t n, unsigned flags) { return ::hipHostAlloc(reinterpret_cast<void**>(p), n, flags); }
template <class T>
static inline hipError_t hipMallocAsync(T** p, size_t n, hipStream_t s) { return ::hipMallocAsync(reinterpret_cast<void**>(p), n, s); }
template <class T>
static inline hipError_t hipMallocPitch(T** p, size_t* pitch, size_t w, size_t h) { return ::hipMallocPitch(reinterpret_cast<void**>(p), pitch, w, h); }
template <class T>
static inline hipError_t hipHostGetDevicePointer(T** d, void* h, unsigned flags) { return ::hipHostGetDevicePointer(reinterpret_cast<void**>(d), h, flags); }
static inline hipError_t hipMemcpyAsync(void* to, const void* from, size_t n, hipMemcpyKind kind) { return ::hipMemcpyAsync(to, from, n, kind, nullptr); }
static inline hipError_t hipMemsetAsync(void* p, int value, size_t n) { return ::hipMemsetAsync(p, value, n, nullptr); }
static inline hipError_t hipEventRecord(hipEvent_t e) { return ::hipEventRecord(e, nullptr); }
static inline hipError_t hipStreamWaitEvent(hipStream_t s, hipEvent_t e) { return ::hipStreamWaitEvent(s, e, 0); }
template <class T>
static inline hipError_t hipMemcpyToSymbol(const T& symbol, const void* from, size_t n, size_t offset = 0, hipMemcpyKind kind = hipMemcpyHostToDevice) {
    if constexpr (std::is_pointer_v<T>) return ::hipMemcpyToSymbol(reinterpret_cast<const void*>(symbol), from, n, offset, kind);
    else return ::hipMemcpyToSymbol(reinterpret_cast<const void*>(&symbol), from, n, offset, kind);
}
template <class T>
static inline hipError_t hipMemcpyFromSymbol(void* to, const T& symbol, size_t n, size_t offset = 0, hipMemcpyKind kind = hipMemcpyDeviceToHost) {
    if constexpr (std::is_pointer_v<T>) return ::hipMemcpyFromSymbol(to, reinterpret_cast<const void*>(symbol), n, offset, kind);
    else return ::hipMemcpyFromSymbol(to, reinterpret_cast<const void*>(&symbol), n, offset, kind);
}

#include "hipcpu/math.h"
#include "hipcpu/atomics.h"
#include "hipcpu/collectives.h"
#include "hipcpu/textures.h"
