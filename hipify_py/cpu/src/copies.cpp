// Allocation, copies and fills.
#include <unistd.h>

#include <cstdio>
#include <cstring>

#include "runtime.h"

using namespace hipcpu;

namespace {

constexpr size_t pitch_unit = 256;

hipError_t allocate_or_report(void** pointer, size_t size, Kind kind, unsigned flags) {
    if (!pointer) return report(hipErrorInvalidValue);
    *pointer = nullptr;
    if (size == 0) return hipSuccess;
    if (allocate(pointer, size, kind, flags)) return hipSuccess;
    size_t free = 0, total = 0;
    memory_totals(free, total);
    fprintf(stderr, "hipcpu: out of memory: %zu bytes asked for, %zu of %zu free\n", size, free, total);
    return report(hipErrorOutOfMemory);
}

//: How many bytes from an address on belong to the device; 0 when it is memory of the host.
size_t room(const void* address) {
    Buffer b;
    if (buffer_of(address, b)) return static_cast<size_t>(b.address + b.size - static_cast<const unsigned char*>(address));
    Symbol s;
    if (symbol_of(address, s))
        return static_cast<size_t>(static_cast<unsigned char*>(s.address) + s.size - static_cast<const unsigned char*>(address));
    return 0;
}

//: Whether `size` bytes at the address may be read or written by a copy of this kind.
bool valid(const void* address, size_t size, bool device_wanted) {
    if (size == 0) return true;
    if (!address) return false;
    const size_t have = room(address);
    if (have == 0) return !device_wanted;
    return have >= size;
}

bool valid_copy(const void* to, const void* from, size_t to_size, size_t from_size, hipMemcpyKind kind) {
    const bool to_device = kind == hipMemcpyHostToDevice || kind == hipMemcpyDeviceToDevice;
    const bool from_device = kind == hipMemcpyDeviceToHost || kind == hipMemcpyDeviceToDevice;
    return valid(to, to_size, to_device) && valid(from, from_size, from_device);
}

hipError_t copy(void* to, const void* from, size_t size, hipMemcpyKind kind, hipStream_t stream) {
    if (kind > hipMemcpyDefault && kind != hipMemcpyDeviceToDeviceNoCU) return report(hipErrorInvalidMemcpyDirection);
    if (!valid_copy(to, from, size, size, kind)) return report(hipErrorInvalidValue);
    return submit(stream, [=] {
        if (size) memmove(to, from, size);
        return hipSuccess;
    });
}

size_t span(size_t pitch, size_t width, size_t rows) { return rows && width ? pitch * (rows - 1) + width : 0; }

struct Plane {
    unsigned char* at;
    size_t pitch, slice;
};

hipError_t copy_rows(Plane to, Plane from, size_t width, size_t height, size_t depth, hipMemcpyKind kind, hipStream_t stream) {
    if (!width || !height || !depth) return hipSuccess;
    if ((height > 1 && (width > to.pitch || width > from.pitch))) return report(hipErrorInvalidPitchValue);
    const size_t to_size = (depth - 1) * to.slice + span(to.pitch, width, height);
    const size_t from_size = (depth - 1) * from.slice + span(from.pitch, width, height);
    if (!valid_copy(to.at, from.at, to_size, from_size, kind)) return report(hipErrorInvalidValue);
    return submit(stream, [=] {
        for (size_t z = 0; z < depth; ++z)
            for (size_t y = 0; y < height; ++y)
                memmove(to.at + z * to.slice + y * to.pitch, from.at + z * from.slice + y * from.pitch, width);
        return hipSuccess;
    });
}

unsigned char* bytes(const void* p) { return const_cast<unsigned char*>(static_cast<const unsigned char*>(p)); }

template <class T>
hipError_t fill(void* pointer, T value, size_t count, hipStream_t stream) {
    if (!valid(pointer, count * sizeof(T), true)) return report(hipErrorInvalidValue);
    return submit(stream, [=] {
        if constexpr (sizeof(T) == 1) {
            if (count) memset(pointer, value, count);
        } else {
            for (size_t i = 0; i < count; ++i) static_cast<T*>(pointer)[i] = value;
        }
        return hipSuccess;
    });
}

hipError_t fill_rows(void* pointer, size_t pitch, size_t slice, int value, size_t width, size_t height, size_t depth,
                     hipStream_t stream) {
    if (!width || !height || !depth) return hipSuccess;
    if (!valid(pointer, (depth - 1) * slice + span(pitch, width, height), true)) return report(hipErrorInvalidValue);
    return submit(stream, [=] {
        for (size_t z = 0; z < depth; ++z)
            for (size_t y = 0; y < height; ++y) memset(bytes(pointer) + z * slice + y * pitch, value, width);
        return hipSuccess;
    });
}

const void* by_type(hipMemoryType type, const void* host, const void* device) {
    return type == hipMemoryTypeHost ? host : device ? device : host;
}

hipMemcpyKind kind_of(hipMemoryType from, hipMemoryType to) {
    const bool from_host = from == hipMemoryTypeHost, to_host = to == hipMemoryTypeHost;
    if (from == hipMemoryTypeUnified || to == hipMemoryTypeUnified) return hipMemcpyDefault;
    return from_host ? (to_host ? hipMemcpyHostToHost : hipMemcpyHostToDevice)
                     : (to_host ? hipMemcpyDeviceToHost : hipMemcpyDeviceToDevice);
}

struct IpcHandle {
    char magic[8];
    long process;
    void* pointer;
};

}  // namespace

struct ihipMemPoolHandle_t {
    uint64_t threshold = 0;
};
static ihipMemPoolHandle_t default_pool;
static hipMemPool_t current_pool = &default_pool;

hipError_t hipMalloc(void** pointer, size_t size) { return allocate_or_report(pointer, size, Kind::device, 0); }
hipError_t hipExtMallocWithFlags(void** pointer, size_t size, unsigned int flags) {
    return allocate_or_report(pointer, size, Kind::device, flags);
}
hipError_t hipMallocPitch(void** pointer, size_t* pitch, size_t width, size_t height) {
    if (!pitch) return report(hipErrorInvalidValue);
    *pitch = (width + pitch_unit - 1) / pitch_unit * pitch_unit;
    return hipMalloc(pointer, *pitch * height);
}
hipError_t hipMemAllocPitch(hipDeviceptr_t* pointer, size_t* pitch, size_t width, size_t height, unsigned int) {
    return hipMallocPitch(pointer, pitch, width, height);
}
hipError_t hipMalloc3D(hipPitchedPtr* pointer, hipExtent extent) {
    if (!pointer) return report(hipErrorInvalidValue);
    size_t pitch = 0;
    const hipError_t error = hipMallocPitch(&pointer->ptr, &pitch, extent.width, extent.height * extent.depth);
    pointer->pitch = pitch;
    pointer->xsize = extent.width;
    pointer->ysize = extent.height;
    return error;
}
hipError_t hipMallocManaged(void** pointer, size_t size, unsigned int flags) {
    if (flags != hipMemAttachGlobal && flags != hipMemAttachHost) return report(hipErrorInvalidValue);
    return allocate_or_report(pointer, size, Kind::managed, flags);
}
hipError_t hipMallocAsync(void** pointer, size_t size, hipStream_t) { return hipMalloc(pointer, size); }
hipError_t hipMallocFromPoolAsync(void** pointer, size_t size, hipMemPool_t, hipStream_t) { return hipMalloc(pointer, size); }
hipError_t hipFree(void* pointer) {
    if (!pointer) return hipSuccess;
    return release(pointer, false) ? hipSuccess : report(hipErrorInvalidValue);
}
hipError_t hipFreeAsync(void* pointer, hipStream_t) { return hipFree(pointer); }
hipError_t hipHostMalloc(void** pointer, size_t size, unsigned int flags) {
    return allocate_or_report(pointer, size, Kind::host, flags);
}
hipError_t hipHostAlloc(void** pointer, size_t size, unsigned int flags) { return hipHostMalloc(pointer, size, flags); }
hipError_t hipMallocHost(void** pointer, size_t size) { return hipHostMalloc(pointer, size, 0); }
hipError_t hipMemAllocHost(void** pointer, size_t size) { return hipHostMalloc(pointer, size, 0); }
hipError_t hipHostFree(void* pointer) {
    if (!pointer) return hipSuccess;
    return release(pointer, true) ? hipSuccess : report(hipErrorInvalidValue);
}
hipError_t hipFreeHost(void* pointer) { return hipHostFree(pointer); }
hipError_t hipHostRegister(void* pointer, size_t size, unsigned int flags) {
    if (!pointer || !size) return report(hipErrorInvalidValue);
    return register_host(pointer, size, flags) ? hipSuccess : report(hipErrorHostMemoryAlreadyRegistered);
}
hipError_t hipHostUnregister(void* pointer) {
    return unregister_host(pointer) ? hipSuccess : report(hipErrorHostMemoryNotRegistered);
}
hipError_t hipHostGetDevicePointer(void** device, void* host, unsigned int) {
    Buffer b;
    if (!device || !buffer_of(host, b)) return report(hipErrorInvalidValue);
    *device = host;
    return hipSuccess;
}
hipError_t hipHostGetFlags(unsigned int* flags, void* pointer) {
    Buffer b;
    if (!flags || !buffer_of(pointer, b) || b.kind == Kind::device) return report(hipErrorInvalidValue);
    *flags = b.flags;
    return hipSuccess;
}
hipError_t hipMemGetInfo(size_t* free, size_t* total) {
    if (!free || !total) return report(hipErrorInvalidValue);
    memory_totals(*free, *total);
    return hipSuccess;
}
hipError_t hipMemPtrGetInfo(void* pointer, size_t* size) {
    Buffer b;
    if (!size || !buffer_of(pointer, b)) return report(hipErrorInvalidValue);
    *size = b.size;
    return hipSuccess;
}
hipError_t hipMemGetAddressRange(hipDeviceptr_t* base, size_t* size, hipDeviceptr_t pointer) {
    Buffer b;
    if (!buffer_of(pointer, b)) return report(hipErrorNotFound);
    if (base) *base = b.address;
    if (size) *size = b.size;
    return hipSuccess;
}
hipError_t hipPointerGetAttributes(hipPointerAttribute_t* attributes, const void* pointer) {
    if (!attributes || !pointer) return report(hipErrorInvalidValue);
    memset(attributes, 0, sizeof *attributes);
    Buffer b;
    if (!buffer_of(pointer, b)) {
        attributes->type = hipMemoryTypeUnregistered;
        attributes->device = -2;
        return hipSuccess;
    }
    const bool host = b.kind == Kind::host || b.kind == Kind::registered;
    attributes->type = host ? hipMemoryTypeHost : b.kind == Kind::managed ? hipMemoryTypeManaged : hipMemoryTypeDevice;
    attributes->devicePointer = const_cast<void*>(pointer);
    attributes->hostPointer = b.kind == Kind::device ? nullptr : const_cast<void*>(pointer);
    attributes->isManaged = b.kind == Kind::managed;
    attributes->allocationFlags = b.flags;
    return hipSuccess;
}
hipError_t hipPointerGetAttribute(void* data, hipPointer_attribute attribute, hipDeviceptr_t pointer) {
    hipPointerAttribute_t all;
    Buffer b;
    if (!data || hipPointerGetAttributes(&all, pointer) != hipSuccess || !buffer_of(pointer, b)) return report(hipErrorInvalidValue);
    switch (attribute) {
        case HIP_POINTER_ATTRIBUTE_MEMORY_TYPE: *static_cast<unsigned*>(data) = all.type; break;
        case HIP_POINTER_ATTRIBUTE_DEVICE_POINTER: *static_cast<void**>(data) = all.devicePointer; break;
        case HIP_POINTER_ATTRIBUTE_HOST_POINTER: *static_cast<void**>(data) = all.hostPointer; break;
        case HIP_POINTER_ATTRIBUTE_IS_MANAGED: *static_cast<bool*>(data) = all.isManaged; break;
        case HIP_POINTER_ATTRIBUTE_DEVICE_ORDINAL: *static_cast<int*>(data) = 0; break;
        case HIP_POINTER_ATTRIBUTE_RANGE_START_ADDR: *static_cast<void**>(data) = b.address; break;
        case HIP_POINTER_ATTRIBUTE_RANGE_SIZE: *static_cast<size_t*>(data) = b.size; break;
        case HIP_POINTER_ATTRIBUTE_MAPPED: *static_cast<bool*>(data) = true; break;
        default: return report(hipErrorInvalidValue);
    }
    return hipSuccess;
}
hipError_t hipMemPrefetchAsync(const void* pointer, size_t size, int, hipStream_t) {
    return valid(pointer, size, true) ? hipSuccess : report(hipErrorInvalidValue);
}
hipError_t hipMemAdvise(const void* pointer, size_t size, hipMemoryAdvise, int) {
    return valid(pointer, size, true) ? hipSuccess : report(hipErrorInvalidValue);
}
hipError_t hipMemRangeGetAttribute(void* data, size_t size, hipMemRangeAttribute attribute, const void* pointer, size_t count) {
    if (!data || size < sizeof(int) || !valid(pointer, count, true)) return report(hipErrorInvalidValue);
    *static_cast<int*>(data) = attribute == hipMemRangeAttributeReadMostly || attribute == hipMemRangeAttributeCoherencyMode ? 0 : hipInvalidDeviceId;
    return hipSuccess;
}
hipError_t hipStreamAttachMemAsync(hipStream_t, void* pointer, size_t, unsigned int) {
    Buffer b;
    return buffer_of(pointer, b) ? hipSuccess : report(hipErrorInvalidValue);
}

hipError_t hipDeviceGetDefaultMemPool(hipMemPool_t* pool, int device) {
    if (!pool || device) return report(hipErrorInvalidValue);
    *pool = &default_pool;
    return hipSuccess;
}
hipError_t hipDeviceGetMemPool(hipMemPool_t* pool, int device) {
    if (!pool || device) return report(hipErrorInvalidValue);
    *pool = current_pool;
    return hipSuccess;
}
hipError_t hipDeviceSetMemPool(int device, hipMemPool_t pool) {
    if (!pool || device) return report(hipErrorInvalidValue);
    current_pool = pool;
    return hipSuccess;
}
hipError_t hipMemPoolCreate(hipMemPool_t* pool, const hipMemPoolProps*) {
    if (!pool) return report(hipErrorInvalidValue);
    *pool = new ihipMemPoolHandle_t;
    return hipSuccess;
}
hipError_t hipMemPoolDestroy(hipMemPool_t pool) {
    if (!pool || pool == &default_pool) return report(hipErrorInvalidValue);
    if (current_pool == pool) current_pool = &default_pool;
    delete pool;
    return hipSuccess;
}
hipError_t hipMemPoolTrimTo(hipMemPool_t pool, size_t) { return pool ? hipSuccess : report(hipErrorInvalidValue); }
hipError_t hipMemPoolSetAttribute(hipMemPool_t pool, hipMemPoolAttr attribute, void* value) {
    if (!pool || !value) return report(hipErrorInvalidValue);
    if (attribute == hipMemPoolAttrReleaseThreshold) pool->threshold = *static_cast<uint64_t*>(value);
    return hipSuccess;
}
hipError_t hipMemPoolGetAttribute(hipMemPool_t pool, hipMemPoolAttr attribute, void* value) {
    if (!pool || !value) return report(hipErrorInvalidValue);
    if (attribute <= hipMemPoolReuseAllowInternalDependencies) *static_cast<int*>(value) = 1;
    else *static_cast<uint64_t*>(value) = attribute == hipMemPoolAttrReleaseThreshold ? pool->threshold : 0;
    return hipSuccess;
}

// A handle opens in the process that made it; there is no second device to share with.
hipError_t hipIpcGetMemHandle(hipIpcMemHandle_t* handle, void* pointer) {
    Buffer b;
    if (!handle || !buffer_of(pointer, b)) return report(hipErrorInvalidValue);
    const IpcHandle own = {{'h', 'i', 'p', 'c', 'p', 'u', 0, 0}, static_cast<long>(getpid()), pointer};
    memset(handle, 0, sizeof *handle);
    memcpy(handle, &own, sizeof own);
    return hipSuccess;
}
hipError_t hipIpcOpenMemHandle(void** pointer, hipIpcMemHandle_t handle, unsigned int) {
    IpcHandle own;
    memcpy(&own, &handle, sizeof own);
    Buffer b;
    if (!pointer || memcmp(own.magic, "hipcpu", 7) != 0 || own.process != getpid() || !buffer_of(own.pointer, b))
        return report(hipErrorInvalidValue);
    *pointer = own.pointer;
    return hipSuccess;
}
hipError_t hipIpcCloseMemHandle(void* pointer) {
    Buffer b;
    return buffer_of(pointer, b) ? hipSuccess : report(hipErrorInvalidValue);
}

// ---- copies

hipError_t hipMemcpy(void* to, const void* from, size_t size, hipMemcpyKind kind) { return copy(to, from, size, kind, nullptr); }
hipError_t hipMemcpyAsync(void* to, const void* from, size_t size, hipMemcpyKind kind, hipStream_t stream) {
    return copy(to, from, size, kind, stream);
}
hipError_t hipMemcpyWithStream(void* to, const void* from, size_t size, hipMemcpyKind kind, hipStream_t stream) {
    return copy(to, from, size, kind, stream);
}
hipError_t hipMemcpyHtoD(hipDeviceptr_t to, const void* from, size_t size) { return copy(to, from, size, hipMemcpyHostToDevice, nullptr); }
hipError_t hipMemcpyDtoH(void* to, hipDeviceptr_t from, size_t size) { return copy(to, from, size, hipMemcpyDeviceToHost, nullptr); }
hipError_t hipMemcpyDtoD(hipDeviceptr_t to, hipDeviceptr_t from, size_t size) {
    return copy(to, from, size, hipMemcpyDeviceToDevice, nullptr);
}
hipError_t hipMemcpyHtoDAsync(hipDeviceptr_t to, const void* from, size_t size, hipStream_t stream) {
    return copy(to, from, size, hipMemcpyHostToDevice, stream);
}
hipError_t hipMemcpyDtoHAsync(void* to, hipDeviceptr_t from, size_t size, hipStream_t stream) {
    return copy(to, from, size, hipMemcpyDeviceToHost, stream);
}
hipError_t hipMemcpyDtoDAsync(hipDeviceptr_t to, hipDeviceptr_t from, size_t size, hipStream_t stream) {
    return copy(to, from, size, hipMemcpyDeviceToDevice, stream);
}
hipError_t hipMemcpyPeer(void* to, int to_device, const void* from, int from_device, size_t size) {
    return hipMemcpyPeerAsync(to, to_device, from, from_device, size, nullptr);
}
hipError_t hipMemcpyPeerAsync(void* to, int to_device, const void* from, int from_device, size_t size, hipStream_t stream) {
    if (to_device || from_device) return report(hipErrorInvalidDevice);
    return copy(to, from, size, hipMemcpyDeviceToDevice, stream);
}
hipError_t hipMemcpy2D(void* to, size_t to_pitch, const void* from, size_t from_pitch, size_t width, size_t height, hipMemcpyKind kind) {
    return hipMemcpy2DAsync(to, to_pitch, from, from_pitch, width, height, kind, nullptr);
}
hipError_t hipMemcpy2DAsync(void* to, size_t to_pitch, const void* from, size_t from_pitch, size_t width, size_t height,
                            hipMemcpyKind kind, hipStream_t stream) {
    return copy_rows({bytes(to), to_pitch, 0}, {bytes(from), from_pitch, 0}, width, height, 1, kind, stream);
}
hipError_t hipMemcpyParam2D(const hip_Memcpy2D* copy) { return hipMemcpyParam2DAsync(copy, nullptr); }
hipError_t hipDrvMemcpy2DUnaligned(const hip_Memcpy2D* copy) { return hipMemcpyParam2DAsync(copy, nullptr); }
hipError_t hipMemcpyParam2DAsync(const hip_Memcpy2D* c, hipStream_t stream) {
    if (!c) return report(hipErrorInvalidValue);
    if (c->srcArray || c->dstArray) return unsupported("hipMemcpyParam2D of an array");
    unsigned char* to = bytes(by_type(c->dstMemoryType, c->dstHost, c->dstDevice)) + c->dstY * c->dstPitch + c->dstXInBytes;
    unsigned char* from = bytes(by_type(c->srcMemoryType, c->srcHost, c->srcDevice)) + c->srcY * c->srcPitch + c->srcXInBytes;
    return copy_rows({to, c->dstPitch, 0}, {from, c->srcPitch, 0}, c->WidthInBytes, c->Height, 1,
                     kind_of(c->srcMemoryType, c->dstMemoryType), stream);
}
hipError_t hipMemcpy3D(const hipMemcpy3DParms* copy) { return hipMemcpy3DAsync(copy, nullptr); }
hipError_t hipMemcpy3DAsync(const hipMemcpy3DParms* c, hipStream_t stream) {
    if (!c) return report(hipErrorInvalidValue);
    if (c->srcArray || c->dstArray) return unsupported("hipMemcpy3D of an array");
    auto plane = [](const hipPitchedPtr& p, const hipPos& at) {
        const size_t slice = p.pitch * p.ysize;
        return Plane{bytes(p.ptr) + at.z * slice + at.y * p.pitch + at.x, p.pitch, slice};
    };
    return copy_rows(plane(c->dstPtr, c->dstPos), plane(c->srcPtr, c->srcPos), c->extent.width, c->extent.height,
                     c->extent.depth, c->kind, stream);
}
hipError_t hipDrvMemcpy3D(const HIP_MEMCPY3D* copy) { return hipDrvMemcpy3DAsync(copy, nullptr); }
hipError_t hipDrvMemcpy3DAsync(const HIP_MEMCPY3D* c, hipStream_t stream) {
    if (!c) return report(hipErrorInvalidValue);
    if (c->srcArray || c->dstArray) return unsupported("hipDrvMemcpy3D of an array");
    const size_t to_slice = c->dstPitch * c->dstHeight, from_slice = c->srcPitch * c->srcHeight;
    unsigned char* to = bytes(by_type(c->dstMemoryType, c->dstHost, c->dstDevice)) + c->dstZ * to_slice + c->dstY * c->dstPitch + c->dstXInBytes;
    unsigned char* from = bytes(by_type(c->srcMemoryType, c->srcHost, c->srcDevice)) + c->srcZ * from_slice + c->srcY * c->srcPitch + c->srcXInBytes;
    return copy_rows({to, c->dstPitch, to_slice}, {from, c->srcPitch, from_slice}, c->WidthInBytes, c->Height, c->Depth,
                     kind_of(c->srcMemoryType, c->dstMemoryType), stream);
}

hipError_t hipMemcpyToSymbol(const void* symbol, const void* from, size_t size, size_t offset, hipMemcpyKind kind) {
    return hipMemcpyToSymbolAsync(symbol, from, size, offset, kind, nullptr);
}
hipError_t hipMemcpyToSymbolAsync(const void* symbol, const void* from, size_t size, size_t offset, hipMemcpyKind kind, hipStream_t stream) {
    Symbol s;
    if (!symbol_of(symbol, s)) return report(hipErrorInvalidSymbol);
    if (offset + size > s.size) return report(hipErrorInvalidValue);
    return copy(bytes(s.address) + offset, from, size, kind, stream);
}
hipError_t hipMemcpyFromSymbol(void* to, const void* symbol, size_t size, size_t offset, hipMemcpyKind kind) {
    return hipMemcpyFromSymbolAsync(to, symbol, size, offset, kind, nullptr);
}
hipError_t hipMemcpyFromSymbolAsync(void* to, const void* symbol, size_t size, size_t offset, hipMemcpyKind kind, hipStream_t stream) {
    Symbol s;
    if (!symbol_of(symbol, s)) return report(hipErrorInvalidSymbol);
    if (offset + size > s.size) return report(hipErrorInvalidValue);
    return copy(to, bytes(s.address) + offset, size, kind, stream);
}
hipError_t hipGetSymbolAddress(void** address, const void* symbol) {
    Symbol s;
    if (!address || !symbol_of(symbol, s)) return report(hipErrorInvalidSymbol);
    *address = s.address;
    return hipSuccess;
}
hipError_t hipGetSymbolSize(size_t* size, const void* symbol) {
    Symbol s;
    if (!size || !symbol_of(symbol, s)) return report(hipErrorInvalidSymbol);
    *size = s.size;
    return hipSuccess;
}

// ---- fills

hipError_t hipMemset(void* p, int value, size_t size) { return fill(p, static_cast<unsigned char>(value), size, nullptr); }
hipError_t hipMemsetAsync(void* p, int value, size_t size, hipStream_t s) { return fill(p, static_cast<unsigned char>(value), size, s); }
hipError_t hipMemsetD8(hipDeviceptr_t p, unsigned char value, size_t count) { return fill(p, value, count, nullptr); }
hipError_t hipMemsetD8Async(hipDeviceptr_t p, unsigned char value, size_t count, hipStream_t s) { return fill(p, value, count, s); }
hipError_t hipMemsetD16(hipDeviceptr_t p, unsigned short value, size_t count) { return fill(p, value, count, nullptr); }
hipError_t hipMemsetD16Async(hipDeviceptr_t p, unsigned short value, size_t count, hipStream_t s) { return fill(p, value, count, s); }
hipError_t hipMemsetD32(hipDeviceptr_t p, int value, size_t count) { return fill(p, value, count, nullptr); }
hipError_t hipMemsetD32Async(hipDeviceptr_t p, int value, size_t count, hipStream_t s) { return fill(p, value, count, s); }
hipError_t hipMemset2D(void* p, size_t pitch, int value, size_t width, size_t height) {
    return fill_rows(p, pitch, 0, value, width, height, 1, nullptr);
}
hipError_t hipMemset2DAsync(void* p, size_t pitch, int value, size_t width, size_t height, hipStream_t s) {
    return fill_rows(p, pitch, 0, value, width, height, 1, s);
}
hipError_t hipMemset3D(hipPitchedPtr p, int value, hipExtent extent) { return hipMemset3DAsync(p, value, extent, nullptr); }
hipError_t hipMemset3DAsync(hipPitchedPtr p, int value, hipExtent e, hipStream_t s) {
    return fill_rows(p.ptr, p.pitch, p.pitch * p.ysize, value, e.width, e.height, e.depth, s);
}
