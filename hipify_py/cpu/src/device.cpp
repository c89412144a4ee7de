// The device, its contexts and its errors.
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>

#include "runtime.h"

using namespace hipcpu;

struct ihipCtx_t {
    unsigned flags = 0;
};

namespace {

thread_local hipError_t last_error = hipSuccess;
std::atomic<int> kernel_fault{hipSuccess};
ihipCtx_t primary_context;
thread_local std::vector<hipCtx_t> contexts;
unsigned device_flags = 0;
hipFuncCache_t cache_config = hipFuncCachePreferNone;
hipSharedMemConfig shared_config = hipSharedMemBankSizeFourByte;
size_t limits[3] = {256 << 10, 1 << 20, 8 << 20};

struct ErrorText {
    hipError_t error;
    const char* name;
    const char* text;
};

const ErrorText error_texts[] = {
#include "errors.def"
};

const ErrorText* find_error(hipError_t error) {
    for (const ErrorText& e : error_texts)
        if (e.error == error) return &e;
    return nullptr;
}

hipError_t check(int device) { return device == 0 ? hipSuccess : report(hipErrorInvalidDevice); }

std::string processor_name() {
    std::ifstream info("/proc/cpuinfo");
    std::string line;
    while (std::getline(info, line)) {
        const size_t colon = line.find(':');
        if (line.compare(0, 10, "model name") == 0 && colon != std::string::npos) return line.substr(colon + 2);
    }
    return "CPU";
}

void fill(hipDeviceProp_tR0600& p) {
    size_t free = 0, total = 0;
    memory_totals(free, total);
    memset(&p, 0, sizeof p);
    snprintf(p.name, sizeof p.name, "hipify-py CPU device (%s)", processor_name().c_str());
    memcpy(p.uuid.bytes, "hipify-py-cpu-00", 16);
    snprintf(p.gcnArchName, sizeof p.gcnArchName, "%s", default_wave() == 64 ? "gfx90a" : "gfx1100");
    p.totalGlobalMem = total;
    p.sharedMemPerBlock = p.sharedMemPerBlockOptin = p.maxSharedMemoryPerMultiProcessor = max_shared;
    p.sharedMemPerMultiprocessor = max_shared;
    p.regsPerBlock = p.regsPerMultiprocessor = 65536;
    p.warpSize = static_cast<int>(default_wave());
    p.memPitch = 0x7FFFFFFF;
    p.maxThreadsPerBlock = max_threads;
    for (int& n : p.maxThreadsDim) n = max_threads;
    p.maxGridSize[0] = p.maxGridSize[1] = p.maxGridSize[2] = 0x7FFFFFFF;
    p.clockRate = p.clockInstructionRate = 1000000;
    p.memoryClockRate = 1000000;
    p.memoryBusWidth = 64;
    p.totalConstMem = 0x7FFFFFFF;
    p.major = default_wave() == 64 ? 9 : 11;
    p.minor = 0;
    p.textureAlignment = p.texturePitchAlignment = p.surfaceAlignment = 256;
    p.multiProcessorCount = static_cast<int>(worker_count());
    p.integrated = p.canMapHostMemory = p.concurrentKernels = p.unifiedAddressing = p.managedMemory = 1;
    p.pageableMemoryAccess = p.concurrentManagedAccess = p.directManagedMemAccessFromHost = 1;
    p.pageableMemoryAccessUsesHostPageTables = p.canUseHostPointerForRegisteredMem = p.hostRegisterSupported = 1;
    p.hostNativeAtomicSupported = p.cooperativeLaunch = p.memoryPoolsSupported = 1;
    p.l2CacheSize = 4 << 20;
    p.maxThreadsPerMultiProcessor = 2048;
    p.maxBlocksPerMultiProcessor = 32;
    p.isLargeBar = 1;
    auto& a = p.arch;
    a.hasGlobalInt32Atomics = a.hasGlobalFloatAtomicExch = a.hasSharedInt32Atomics = a.hasSharedFloatAtomicExch = 1;
    a.hasFloatAtomicAdd = a.hasGlobalInt64Atomics = a.hasSharedInt64Atomics = a.hasDoubles = 1;
    a.hasWarpVote = a.hasWarpBallot = a.hasWarpShuffle = a.hasFunnelShift = 1;
    a.hasThreadFenceSystem = a.hasSyncThreadsExt = a.has3dGrid = 1;
}

}  // namespace

namespace hipcpu {

hipError_t report(hipError_t error) {
    if (error != hipSuccess) last_error = error;
    return error;
}

hipError_t report_launch(int error) {
    const bool fault = error == hipErrorIllegalAddress || error == hipErrorLaunchTimeOut || error == hipErrorAssert ||
                       error == hipErrorLaunchFailure;
    kernel_fault = fault ? error : hipSuccess;
    return report(static_cast<hipError_t>(error));
}

hipError_t finish_launches() { return report(static_cast<hipError_t>(kernel_fault.exchange(hipSuccess))); }

hipError_t unsupported(const char* name) {
    fprintf(stderr, "hipcpu: `%s` is not implemented by the CPU device\n", name);
    return report(hipErrorNotSupported);
}

uint32_t default_wave() {
    const char* wish = getenv("HIPIFY_PY_WAVE");
    return wish && atoi(wish) == 32 ? 32 : 64;
}

}  // namespace hipcpu

hipError_t hipInit(unsigned int) { return hipSuccess; }
hipError_t hipDriverGetVersion(int* version) { return hipRuntimeGetVersion(version); }
hipError_t hipRuntimeGetVersion(int* version) {
    if (!version) return report(hipErrorInvalidValue);
    *version = HIP_VERSION;
    return hipSuccess;
}
hipError_t hipGetDeviceCount(int* count) {
    if (!count) return report(hipErrorInvalidValue);
    *count = 1;
    return hipSuccess;
}
hipError_t hipGetDevice(int* device) {
    if (!device) return report(hipErrorInvalidValue);
    *device = 0;
    return hipSuccess;
}
hipError_t hipSetDevice(int device) { return check(device); }
hipError_t hipSetValidDevices(int* devices, int count) {
    for (int i = 0; i < count; ++i)
        if (devices[i] != 0) return report(hipErrorInvalidDevice);
    return hipSuccess;
}
hipError_t hipDeviceGet(hipDevice_t* device, int ordinal) {
    if (!device) return report(hipErrorInvalidValue);
    *device = 0;
    return check(ordinal);
}
hipError_t hipDeviceGetName(char* name, int length, hipDevice_t device) {
    if (!name || length <= 0) return report(hipErrorInvalidValue);
    if (device) return check(device);
    hipDeviceProp_tR0600 p;
    fill(p);
    snprintf(name, static_cast<size_t>(length), "%s", p.name);
    return hipSuccess;
}
hipError_t hipDeviceGetUuid(hipUUID* uuid, hipDevice_t device) {
    if (!uuid) return report(hipErrorInvalidValue);
    memcpy(uuid->bytes, "hipify-py-cpu-00", 16);
    return check(device);
}
hipError_t hipGetDevicePropertiesR0600(hipDeviceProp_tR0600* properties, int device) {
    if (!properties) return report(hipErrorInvalidValue);
    if (device) return check(device);
    fill(*properties);
    return hipSuccess;
}
hipError_t hipChooseDeviceR0600(int* device, const hipDeviceProp_tR0600*) { return hipGetDevice(device); }

hipError_t hipDeviceGetAttribute(int* value, hipDeviceAttribute_t attribute, int device) {
    if (!value) return report(hipErrorInvalidValue);
    if (device) return check(device);
    hipDeviceProp_tR0600 p;
    fill(p);
    switch (attribute) {
        case hipDeviceAttributeWarpSize: *value = p.warpSize; break;
        case hipDeviceAttributeMaxThreadsPerBlock: *value = p.maxThreadsPerBlock; break;
        case hipDeviceAttributeMaxBlockDimX:
        case hipDeviceAttributeMaxBlockDimY:
        case hipDeviceAttributeMaxBlockDimZ:
        case hipDeviceAttributeMaxThreadsDim: *value = p.maxThreadsDim[0]; break;
        case hipDeviceAttributeMaxGridDimX:
        case hipDeviceAttributeMaxGridDimY:
        case hipDeviceAttributeMaxGridDimZ: *value = p.maxGridSize[0]; break;
        case hipDeviceAttributeMaxSharedMemoryPerBlock:
        case hipDeviceAttributeSharedMemPerBlockOptin:
        case hipDeviceAttributeSharedMemPerMultiprocessor:
        case hipDeviceAttributeMaxSharedMemoryPerMultiprocessor: *value = static_cast<int>(max_shared); break;
        case hipDeviceAttributeMultiprocessorCount:
        case hipDeviceAttributePhysicalMultiProcessorCount: *value = p.multiProcessorCount; break;
        case hipDeviceAttributeMaxThreadsPerMultiProcessor: *value = p.maxThreadsPerMultiProcessor; break;
        case hipDeviceAttributeMaxBlocksPerMultiProcessor: *value = p.maxBlocksPerMultiProcessor; break;
        case hipDeviceAttributeMaxRegistersPerBlock:
        case hipDeviceAttributeMaxRegistersPerMultiprocessor: *value = p.regsPerBlock; break;
        case hipDeviceAttributeComputeCapabilityMajor: *value = p.major; break;
        case hipDeviceAttributeComputeCapabilityMinor: *value = p.minor; break;
        case hipDeviceAttributeClockRate:
        case hipDeviceAttributeWallClockRate: *value = p.clockRate; break;
        case hipDeviceAttributeMemoryClockRate: *value = p.memoryClockRate; break;
        case hipDeviceAttributeMemoryBusWidth: *value = p.memoryBusWidth; break;
        case hipDeviceAttributeL2CacheSize: *value = p.l2CacheSize; break;
        case hipDeviceAttributeTotalConstantMemory: *value = static_cast<int>(p.totalConstMem); break;
        case hipDeviceAttributeMaxPitch: *value = static_cast<int>(p.memPitch); break;
        case hipDeviceAttributeTotalGlobalMem:
            *value = p.totalGlobalMem > 0x7FFFFFFF ? 0x7FFFFFFF : static_cast<int>(p.totalGlobalMem);
            break;
        case hipDeviceAttributeTextureAlignment:
        case hipDeviceAttributeTexturePitchAlignment:
        case hipDeviceAttributeSurfaceAlignment: *value = 256; break;
        case hipDeviceAttributeIntegrated:
        case hipDeviceAttributeCanMapHostMemory:
        case hipDeviceAttributeConcurrentKernels:
        case hipDeviceAttributeUnifiedAddressing:
        case hipDeviceAttributeManagedMemory:
        case hipDeviceAttributeConcurrentManagedAccess:
        case hipDeviceAttributeDirectManagedMemAccessFromHost:
        case hipDeviceAttributePageableMemoryAccess:
        case hipDeviceAttributePageableMemoryAccessUsesHostPageTables:
        case hipDeviceAttributeCanUseHostPointerForRegisteredMem:
        case hipDeviceAttributeHostRegisterSupported:
        case hipDeviceAttributeHostNativeAtomicSupported:
        case hipDeviceAttributeCooperativeLaunch:
        case hipDeviceAttributeCanUseStreamWaitValue:
        case hipDeviceAttributeMemoryPoolsSupported:
        case hipDeviceAttributeIsLargeBar: *value = 1; break;
        default: *value = 0;
    }
    return hipSuccess;
}

hipError_t hipDeviceComputeCapability(int* major, int* minor, hipDevice_t device) {
    if (!major || !minor) return report(hipErrorInvalidValue);
    hipDeviceProp_tR0600 p;
    fill(p);
    *major = p.major;
    *minor = p.minor;
    return check(device);
}
hipError_t hipDeviceTotalMem(size_t* bytes, hipDevice_t device) {
    if (!bytes) return report(hipErrorInvalidValue);
    size_t free = 0;
    memory_totals(free, *bytes);
    return check(device);
}
hipError_t hipDeviceGetPCIBusId(char* text, int length, int device) {
    if (!text || length < 13) return report(hipErrorInvalidValue);
    snprintf(text, static_cast<size_t>(length), "0000:00:00.0");
    return check(device);
}
hipError_t hipDeviceGetByPCIBusId(int* device, const char* text) {
    if (!device || !text) return report(hipErrorInvalidValue);
    if (strcmp(text, "0000:00:00.0") != 0) return report(hipErrorInvalidDevice);
    *device = 0;
    return hipSuccess;
}
hipError_t hipDeviceSynchronize(void) { return finish_launches(); }
hipError_t hipDeviceReset(void) {
    last_error = hipSuccess;
    kernel_fault = hipSuccess;
    return hipSuccess;
}
hipError_t hipSetDeviceFlags(unsigned int flags) {
    device_flags = flags;
    return hipSuccess;
}
hipError_t hipGetDeviceFlags(unsigned int* flags) {
    if (!flags) return report(hipErrorInvalidValue);
    *flags = device_flags;
    return hipSuccess;
}
hipError_t hipDeviceGetCacheConfig(hipFuncCache_t* config) {
    if (!config) return report(hipErrorInvalidValue);
    *config = cache_config;
    return hipSuccess;
}
hipError_t hipDeviceSetCacheConfig(hipFuncCache_t config) {
    cache_config = config;
    return hipSuccess;
}
hipError_t hipDeviceGetSharedMemConfig(hipSharedMemConfig* config) {
    if (!config) return report(hipErrorInvalidValue);
    *config = shared_config;
    return hipSuccess;
}
hipError_t hipDeviceSetSharedMemConfig(hipSharedMemConfig config) {
    shared_config = config;
    return hipSuccess;
}
hipError_t hipDeviceGetLimit(size_t* value, hipLimit_t limit) {
    if (!value) return report(hipErrorInvalidValue);
    if (limit > hipLimitMallocHeapSize) return report(hipErrorUnsupportedLimit);
    *value = limits[limit];
    return hipSuccess;
}
hipError_t hipDeviceSetLimit(hipLimit_t limit, size_t value) {
    if (limit > hipLimitMallocHeapSize) return report(hipErrorUnsupportedLimit);
    limits[limit] = value;
    return hipSuccess;
}
hipError_t hipDeviceGetStreamPriorityRange(int* least, int* greatest) {
    if (least) *least = 1;
    if (greatest) *greatest = -1;
    return hipSuccess;
}
hipError_t hipDeviceGetP2PAttribute(int* value, hipDeviceP2PAttr, int, int) {
    if (value) *value = 0;
    return report(hipErrorInvalidDevice);  // there is no second device
}
hipError_t hipDeviceCanAccessPeer(int* can, int device, int peer) {
    if (!can) return report(hipErrorInvalidValue);
    *can = 0;
    return device || peer ? report(hipErrorInvalidDevice) : hipSuccess;
}
hipError_t hipDeviceEnablePeerAccess(int, unsigned int) { return report(hipErrorInvalidDevice); }
hipError_t hipDeviceDisablePeerAccess(int peer) { return report(peer ? hipErrorInvalidDevice : hipErrorPeerAccessNotEnabled); }
hipError_t hipExtGetLinkTypeAndHopCount(int, int, uint32_t*, uint32_t*) { return report(hipErrorInvalidDevice); }
hipChannelFormatDesc hipCreateChannelDesc(int x, int y, int z, int w, hipChannelFormatKind kind) { return {x, y, z, w, kind}; }
const char* hipApiName(uint32_t) { return "unknown"; }
hipError_t hipProfilerStart(void) { return hipSuccess; }
hipError_t hipProfilerStop(void) { return hipSuccess; }

// ---- contexts: one device has one

hipError_t hipCtxCreate(hipCtx_t* context, unsigned int flags, hipDevice_t device) {
    if (!context) return report(hipErrorInvalidValue);
    if (device) return check(device);
    *context = new ihipCtx_t{flags};
    contexts.push_back(*context);
    return hipSuccess;
}
hipError_t hipCtxDestroy(hipCtx_t context) {
    if (!context || context == &primary_context) return report(hipErrorInvalidValue);
    for (size_t i = contexts.size(); i-- > 0;)
        if (contexts[i] == context) contexts.erase(contexts.begin() + static_cast<ptrdiff_t>(i));
    delete context;
    return hipSuccess;
}
hipError_t hipCtxSetCurrent(hipCtx_t context) {
    if (!contexts.empty()) contexts.pop_back();
    if (context) contexts.push_back(context);
    return hipSuccess;
}
hipError_t hipCtxGetCurrent(hipCtx_t* context) {
    if (!context) return report(hipErrorInvalidValue);
    *context = contexts.empty() ? &primary_context : contexts.back();
    return hipSuccess;
}
hipError_t hipCtxPushCurrent(hipCtx_t context) {
    if (!context) return report(hipErrorInvalidContext);
    contexts.push_back(context);
    return hipSuccess;
}
hipError_t hipCtxPopCurrent(hipCtx_t* context) {
    if (contexts.empty()) return report(hipErrorInvalidContext);
    if (context) *context = contexts.back();
    contexts.pop_back();
    return hipSuccess;
}
hipError_t hipCtxGetDevice(hipDevice_t* device) { return hipGetDevice(device); }
hipError_t hipCtxGetApiVersion(hipCtx_t, unsigned int* version) {
    if (!version) return report(hipErrorInvalidValue);
    *version = 4;
    return hipSuccess;
}
hipError_t hipCtxGetFlags(unsigned int* flags) {
    if (!flags) return report(hipErrorInvalidValue);
    *flags = contexts.empty() ? primary_context.flags : contexts.back()->flags;
    return hipSuccess;
}
hipError_t hipCtxSynchronize(void) { return hipSuccess; }
hipError_t hipDevicePrimaryCtxRetain(hipCtx_t* context, hipDevice_t device) {
    if (!context) return report(hipErrorInvalidValue);
    *context = &primary_context;
    return check(device);
}
hipError_t hipDevicePrimaryCtxRelease(hipDevice_t device) { return check(device); }
hipError_t hipDevicePrimaryCtxReset(hipDevice_t device) { return check(device); }
hipError_t hipDevicePrimaryCtxGetState(hipDevice_t device, unsigned int* flags, int* active) {
    if (flags) *flags = primary_context.flags;
    if (active) *active = 1;
    return check(device);
}
hipError_t hipDevicePrimaryCtxSetFlags(hipDevice_t device, unsigned int flags) {
    primary_context.flags = flags;
    return check(device);
}

// ---- errors

hipError_t hipGetLastError(void) {
    const hipError_t error = last_error;
    last_error = hipSuccess;
    return error;
}
hipError_t hipExtGetLastError(void) { return hipGetLastError(); }
hipError_t hipPeekAtLastError(void) { return last_error; }
const char* hipGetErrorName(hipError_t error) {
    const ErrorText* e = find_error(error);
    return e ? e->name : "hipErrorUnknown";
}
const char* hipGetErrorString(hipError_t error) {
    const ErrorText* e = find_error(error);
    return e ? e->text : "unknown error";
}
hipError_t hipDrvGetErrorName(hipError_t error, const char** text) {
    if (!text || !find_error(error)) return report(hipErrorInvalidValue);
    *text = hipGetErrorName(error);
    return hipSuccess;
}
hipError_t hipDrvGetErrorString(hipError_t error, const char** text) {
    if (!text || !find_error(error)) return report(hipErrorInvalidValue);
    *text = hipGetErrorString(error);
    return hipSuccess;
}
