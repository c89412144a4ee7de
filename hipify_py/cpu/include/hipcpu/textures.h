// Textures and surfaces, which the CPU device does not have: their types and names, so that the other kernels of a source
// that mentions them can run. A host function answers hipErrorNotSupported (src/unsupported.def), a read or write in a
// kernel ends the launch. Layouts and numbers are those of HIP 6.4's headers.
#pragma once

typedef struct __hip_texture* hipTextureObject_t;
typedef struct __hip_surface* hipSurfaceObject_t;
typedef struct hipMipmappedArray* hipMipmappedArray_t;
typedef const struct hipMipmappedArray* hipMipmappedArray_const_t;

enum hipTextureAddressMode { hipAddressModeWrap, hipAddressModeClamp, hipAddressModeMirror, hipAddressModeBorder };
enum hipTextureFilterMode { hipFilterModePoint, hipFilterModeLinear };
enum hipTextureReadMode { hipReadModeElementType, hipReadModeNormalizedFloat };
enum hipSurfaceBoundaryMode { hipBoundaryModeZero, hipBoundaryModeTrap, hipBoundaryModeClamp };
enum hipResourceType { hipResourceTypeArray, hipResourceTypeMipmappedArray, hipResourceTypeLinear, hipResourceTypePitch2D };
typedef struct hipTextureDesc {
    enum hipTextureAddressMode addressMode[3];
    enum hipTextureFilterMode filterMode;
    enum hipTextureReadMode readMode;
    int sRGB;
    float borderColor[4];
    int normalizedCoords;
    unsigned int maxAnisotropy;
    enum hipTextureFilterMode mipmapFilterMode;
    float mipmapLevelBias, minMipmapLevelClamp, maxMipmapLevelClamp;
} hipTextureDesc;
typedef struct hipResourceDesc {
    enum hipResourceType resType;
    union {
        struct { hipArray_t array; } array;
        struct { hipMipmappedArray_t mipmap; } mipmap;
        struct { void* devPtr; hipChannelFormatDesc desc; size_t sizeInBytes; } linear;
        struct { void* devPtr; hipChannelFormatDesc desc; size_t width, height, pitchInBytes; } pitch2D;
    } res;
} hipResourceDesc;
struct hipResourceViewDesc;

#define hipArrayDefault 0u
#define hipArrayLayered 1u
#define hipArraySurfaceLoadStore 2u
#define hipArrayCubemap 4u
#define hipArrayTextureGather 8u

extern "C" {
hipError_t hipCreateTextureObject(hipTextureObject_t* texture, const hipResourceDesc* resource, const hipTextureDesc* how,
                                  const hipResourceViewDesc* view);
hipError_t hipDestroyTextureObject(hipTextureObject_t texture);
hipError_t hipCreateSurfaceObject(hipSurfaceObject_t* surface, const hipResourceDesc* resource);
hipError_t hipDestroySurfaceObject(hipSurfaceObject_t surface);
hipError_t hipMallocArray(hipArray_t* array, const hipChannelFormatDesc* format, size_t width, size_t height = 0,
                          unsigned int flags = hipArrayDefault);
hipError_t hipMalloc3DArray(hipArray_t* array, const hipChannelFormatDesc* format, hipExtent extent, unsigned int flags);
hipError_t hipMallocMipmappedArray(hipMipmappedArray_t* array, const hipChannelFormatDesc* format, hipExtent extent,
                                   unsigned int levels, unsigned int flags = 0);
hipError_t hipFreeArray(hipArray_t array);
hipError_t hipFreeMipmappedArray(hipMipmappedArray_t array);
hipError_t hipGetMipmappedArrayLevel(hipArray_t* level, hipMipmappedArray_const_t array, unsigned int number);
hipError_t hipMemcpyToArray(hipArray_t to, size_t x, size_t y, const void* from, size_t bytes, hipMemcpyKind kind);
hipError_t hipMemcpyFromArray(void* to, hipArray_const_t from, size_t x, size_t y, size_t bytes, hipMemcpyKind kind);
hipError_t hipMemcpy2DToArray(hipArray_t to, size_t x, size_t y, const void* from, size_t pitch, size_t width, size_t height,
                              hipMemcpyKind kind);
hipError_t hipMemcpy2DToArrayAsync(hipArray_t to, size_t x, size_t y, const void* from, size_t pitch, size_t width,
                                   size_t height, hipMemcpyKind kind, hipStream_t stream = nullptr);
hipError_t hipMemcpy2DFromArray(void* to, size_t pitch, hipArray_const_t from, size_t x, size_t y, size_t width,
                                size_t height, hipMemcpyKind kind);
}

//: Of a number, or of a vector of one to four of them.
template <class T>
static inline hipChannelFormatDesc hipCreateChannelDesc() {
    if constexpr (std::is_arithmetic_v<T>) {
        const auto kind = std::is_floating_point_v<T> ? hipChannelFormatKindFloat
                          : std::is_signed_v<T>       ? hipChannelFormatKindSigned
                                                      : hipChannelFormatKindUnsigned;
        return {int(8 * sizeof(T)), 0, 0, 0, kind};
    } else {
        using Part = std::remove_reference_t<decltype(std::declval<T&>().x)>;
        const int bits = int(8 * sizeof(Part)), parts = int(sizeof(T) / sizeof(Part));
        return {bits, parts > 1 ? bits : 0, parts > 2 ? bits : 0, parts > 3 ? bits : 0, hipCreateChannelDesc<Part>().f};
    }
}

#define HIPCPU_TEXTURE(name)                                                                             \
    template <class T, class... P>                                                                       \
    [[noreturn]] static inline T name(hipTextureObject_t, P...) {                                        \
        hipcpu_fail(801, #name ": the CPU device has no textures");                                      \
    }                                                                                                    \
    template <class T, class... P>                                                                       \
    [[noreturn]] static inline void name(T*, hipTextureObject_t, P...) {                                 \
        hipcpu_fail(801, #name ": the CPU device has no textures");                                      \
    }
HIPCPU_TEXTURE(tex1D)
HIPCPU_TEXTURE(tex1DGrad)
HIPCPU_TEXTURE(tex1DLayered)
HIPCPU_TEXTURE(tex1DLayeredGrad)
HIPCPU_TEXTURE(tex1DLayeredLod)
HIPCPU_TEXTURE(tex1DLod)
HIPCPU_TEXTURE(tex1Dfetch)
HIPCPU_TEXTURE(tex2D)
HIPCPU_TEXTURE(tex2DGrad)
HIPCPU_TEXTURE(tex2DLayered)
HIPCPU_TEXTURE(tex2DLayeredGrad)
HIPCPU_TEXTURE(tex2DLayeredLod)
HIPCPU_TEXTURE(tex2DLod)
HIPCPU_TEXTURE(tex2Dgather)
HIPCPU_TEXTURE(tex3D)
HIPCPU_TEXTURE(tex3DGrad)
HIPCPU_TEXTURE(tex3DLod)
HIPCPU_TEXTURE(texCubemap)
HIPCPU_TEXTURE(texCubemapLayered)
HIPCPU_TEXTURE(texCubemapLayeredLod)
HIPCPU_TEXTURE(texCubemapLod)
#undef HIPCPU_TEXTURE

#define HIPCPU_SURFACE(name)                                                                             \
    template <class T, class... P>                                                                       \
    [[noreturn]] static inline T name##read(hipSurfaceObject_t, P...) {                                  \
        hipcpu_fail(801, #name "read: the CPU device has no surfaces");                                  \
    }                                                                                                    \
    template <class T, class... P>                                                                       \
    [[noreturn]] static inline void name##read(T*, hipSurfaceObject_t, P...) {                           \
        hipcpu_fail(801, #name "read: the CPU device has no surfaces");                                  \
    }                                                                                                    \
    template <class T, class... P>                                                                       \
    [[noreturn]] static inline void name##write(T, hipSurfaceObject_t, P...) {                           \
        hipcpu_fail(801, #name "write: the CPU device has no surfaces");                                 \
    }
HIPCPU_SURFACE(surf1D)
HIPCPU_SURFACE(surf1DLayered)
HIPCPU_SURFACE(surf2D)
HIPCPU_SURFACE(surf2DLayered)
HIPCPU_SURFACE(surf3D)
HIPCPU_SURFACE(surfCubemap)
HIPCPU_SURFACE(surfCubemapLayered)
#undef HIPCPU_SURFACE
