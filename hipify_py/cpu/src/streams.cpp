// Streams, events and graphs. A stream does what it is given at once, so that it is always idle.
#include <time.h>

#include <atomic>
#include <cstring>

#include "runtime.h"

using namespace hipcpu;

namespace {

ihipStream_t null_stream;
std::atomic<unsigned long long> next_id{1};
hipStreamCaptureMode capture_mode = hipStreamCaptureModeGlobal;

ihipStream_t& stream_of(hipStream_t stream) {
    const auto value = reinterpret_cast<uintptr_t>(stream);
    return value <= 2 ? null_stream : *stream;  // null, legacy, per thread
}

double now() {
    timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return static_cast<double>(t.tv_sec) * 1e3 + static_cast<double>(t.tv_nsec) / 1e6;
}

}  // namespace

namespace hipcpu {

hipError_t submit(hipStream_t stream, Operation operation) {
    ihipStream_t& s = stream_of(stream);
    if (!s.capture) return operation();
    s.capture->operations.push_back(std::move(operation));
    return hipSuccess;
}

}  // namespace hipcpu

hipError_t hipStreamCreate(hipStream_t* stream) { return hipStreamCreateWithPriority(stream, 0, 0); }
hipError_t hipStreamCreateWithFlags(hipStream_t* stream, unsigned int flags) { return hipStreamCreateWithPriority(stream, flags, 0); }
hipError_t hipStreamCreateWithPriority(hipStream_t* stream, unsigned int flags, int priority) {
    if (!stream || flags > hipStreamNonBlocking) return report(hipErrorInvalidValue);
    *stream = new ihipStream_t;
    (*stream)->flags = flags;
    (*stream)->priority = priority < -1 ? -1 : priority > 1 ? 1 : priority;
    (*stream)->id = next_id++;
    return hipSuccess;
}
hipError_t hipStreamDestroy(hipStream_t stream) {
    if (&stream_of(stream) == &null_stream) return report(hipErrorInvalidHandle);
    delete stream->capture;
    delete stream;
    return hipSuccess;
}
hipError_t hipStreamSynchronize(hipStream_t stream) {
    return stream_of(stream).capture ? report(hipErrorStreamCaptureUnsupported) : finish_launches();
}
hipError_t hipStreamQuery(hipStream_t stream) { return hipStreamSynchronize(stream); }
hipError_t hipStreamWaitEvent(hipStream_t, hipEvent_t event, unsigned int) {
    return event ? hipSuccess : report(hipErrorInvalidHandle);
}
hipError_t hipStreamGetFlags(hipStream_t stream, unsigned int* flags) {
    if (!flags) return report(hipErrorInvalidValue);
    *flags = stream_of(stream).flags;
    return hipSuccess;
}
hipError_t hipStreamGetPriority(hipStream_t stream, int* priority) {
    if (!priority) return report(hipErrorInvalidValue);
    *priority = stream_of(stream).priority;
    return hipSuccess;
}
hipError_t hipStreamGetDevice(hipStream_t, hipDevice_t* device) {
    if (!device) return report(hipErrorInvalidValue);
    *device = 0;
    return hipSuccess;
}
hipError_t hipStreamGetId(hipStream_t stream, unsigned long long* id) {
    if (!id) return report(hipErrorInvalidValue);
    *id = stream_of(stream).id;
    return hipSuccess;
}
hipError_t hipStreamAddCallback(hipStream_t stream, hipStreamCallback_t callback, void* data, unsigned int flags) {
    if (!callback || flags) return report(hipErrorInvalidValue);
    return submit(stream, [=] {
        callback(stream, hipSuccess, data);
        return hipSuccess;
    });
}
hipError_t hipLaunchHostFunc(hipStream_t stream, hipHostFn_t function, void* data) {
    if (!function) return report(hipErrorInvalidValue);
    return submit(stream, [=] {
        function(data);
        return hipSuccess;
    });
}
hipError_t hipStreamIsCapturing(hipStream_t stream, hipStreamCaptureStatus* status) {
    if (!status) return report(hipErrorInvalidValue);
    *status = stream_of(stream).capture ? hipStreamCaptureStatusActive : hipStreamCaptureStatusNone;
    return hipSuccess;
}
hipError_t hipStreamGetCaptureInfo(hipStream_t stream, hipStreamCaptureStatus* status, unsigned long long* id) {
    if (id) *id = stream_of(stream).id;
    return hipStreamIsCapturing(stream, status);
}
hipError_t hipThreadExchangeStreamCaptureMode(hipStreamCaptureMode* mode) {
    if (!mode) return report(hipErrorInvalidValue);
    std::swap(*mode, capture_mode);
    return hipSuccess;
}
// All work that could change the value has been done: a wait that does not hold now never would.
template <class T>
static hipError_t wait_value(hipStream_t stream, void* pointer, T value, unsigned flags, T mask) {
    if (!pointer || flags > 3) return report(hipErrorInvalidValue);
    return submit(stream, [=] {
        T now_there;
        memcpy(&now_there, pointer, sizeof now_there);
        const T seen = now_there & mask;
        const bool holds = flags == 0 ? seen >= value : flags == 1 ? seen == value : flags == 2 ? (seen & value) != 0 : (~(seen | value)) != 0;
        return holds ? hipSuccess : report(hipErrorNotReady);
    });
}
hipError_t hipStreamWaitValue32(hipStream_t stream, void* pointer, uint32_t value, unsigned int flags, uint32_t mask) {
    return wait_value(stream, pointer, value, flags, mask);
}
hipError_t hipStreamWaitValue64(hipStream_t stream, void* pointer, uint64_t value, unsigned int flags, uint64_t mask) {
    return wait_value(stream, pointer, value, flags, mask);
}
hipError_t hipStreamWriteValue32(hipStream_t stream, void* pointer, uint32_t value, unsigned int) {
    if (!pointer) return report(hipErrorInvalidValue);
    return submit(stream, [=] {
        memcpy(pointer, &value, sizeof value);
        return hipSuccess;
    });
}
hipError_t hipStreamWriteValue64(hipStream_t stream, void* pointer, uint64_t value, unsigned int) {
    if (!pointer) return report(hipErrorInvalidValue);
    return submit(stream, [=] {
        memcpy(pointer, &value, sizeof value);
        return hipSuccess;
    });
}

// ---- graphs

hipError_t hipStreamBeginCapture(hipStream_t stream, hipStreamCaptureMode) {
    ihipStream_t& s = stream_of(stream);
    if (&s == &null_stream) return report(hipErrorStreamCaptureUnsupported);
    if (s.capture) return report(hipErrorIllegalState);
    s.capture = new ihipGraph;
    return hipSuccess;
}
hipError_t hipStreamEndCapture(hipStream_t stream, hipGraph_t* graph) {
    ihipStream_t& s = stream_of(stream);
    if (!graph) return report(hipErrorInvalidValue);
    if (!s.capture) return report(hipErrorIllegalState);
    *graph = s.capture;
    s.capture = nullptr;
    return hipSuccess;
}
hipError_t hipGraphCreate(hipGraph_t* graph, unsigned int) {
    if (!graph) return report(hipErrorInvalidValue);
    *graph = new ihipGraph;
    return hipSuccess;
}
hipError_t hipGraphDestroy(hipGraph_t graph) {
    if (!graph) return report(hipErrorInvalidValue);
    delete graph;
    return hipSuccess;
}
hipError_t hipGraphInstantiate(hipGraphExec_t* exec, hipGraph_t graph, hipGraphNode_t*, char*, size_t) {
    return hipGraphInstantiateWithFlags(exec, graph, 0);
}
hipError_t hipGraphInstantiateWithFlags(hipGraphExec_t* exec, hipGraph_t graph, unsigned long long) {
    if (!exec || !graph) return report(hipErrorInvalidValue);
    *exec = new hipGraphExec{graph->operations};
    return hipSuccess;
}
hipError_t hipGraphLaunch(hipGraphExec_t exec, hipStream_t stream) {
    if (!exec) return report(hipErrorInvalidValue);
    for (const Operation& operation : exec->operations) {
        const hipError_t error = submit(stream, operation);
        if (error != hipSuccess) return report(error);
    }
    return hipSuccess;
}
hipError_t hipGraphUpload(hipGraphExec_t exec, hipStream_t) { return exec ? hipSuccess : report(hipErrorInvalidValue); }
hipError_t hipGraphExecDestroy(hipGraphExec_t exec) {
    if (!exec) return report(hipErrorInvalidValue);
    delete exec;
    return hipSuccess;
}
hipError_t hipGraphGetNodes(hipGraph_t graph, hipGraphNode_t* nodes, size_t* count) {
    if (!graph || !count) return report(hipErrorInvalidValue);
    if (nodes) return unsupported("hipGraphGetNodes into an array");
    *count = graph->operations.size();
    return hipSuccess;
}

// ---- events

hipError_t hipEventCreate(hipEvent_t* event) { return hipEventCreateWithFlags(event, 0); }
hipError_t hipEventCreateWithFlags(hipEvent_t* event, unsigned int flags) {
    if (!event) return report(hipErrorInvalidValue);
    *event = new ihipEvent_t;
    (*event)->flags = flags;
    return hipSuccess;
}
hipError_t hipEventRecord(hipEvent_t event, hipStream_t stream) {
    if (!event) return report(hipErrorInvalidHandle);
    return submit(stream, [=] {
        event->recorded = true;
        event->time = now();
        return hipSuccess;
    });
}
hipError_t hipEventRecordWithFlags(hipEvent_t event, hipStream_t stream, unsigned int) { return hipEventRecord(event, stream); }
hipError_t hipEventSynchronize(hipEvent_t event) { return event ? finish_launches() : report(hipErrorInvalidHandle); }
hipError_t hipEventQuery(hipEvent_t event) { return event ? hipSuccess : report(hipErrorInvalidHandle); }
hipError_t hipEventElapsedTime(float* milliseconds, hipEvent_t start, hipEvent_t stop) {
    if (!milliseconds) return report(hipErrorInvalidValue);
    if (!start || !stop || !start->recorded || !stop->recorded) return report(hipErrorInvalidHandle);
    if ((start->flags | stop->flags) & hipEventDisableTiming) return report(hipErrorInvalidHandle);
    *milliseconds = static_cast<float>(stop->time - start->time);
    return hipSuccess;
}
hipError_t hipEventDestroy(hipEvent_t event) {
    if (!event) return report(hipErrorInvalidHandle);
    delete event;
    return hipSuccess;
}
hipError_t hipIpcGetEventHandle(hipIpcEventHandle_t* handle, hipEvent_t event) {
    if (!handle || !event || !(event->flags & hipEventInterprocess)) return report(hipErrorInvalidHandle);
    memset(handle, 0, sizeof *handle);
    memcpy(handle, &event, sizeof event);
    return hipSuccess;
}
hipError_t hipIpcOpenEventHandle(hipEvent_t* event, hipIpcEventHandle_t handle) {
    if (!event) return report(hipErrorInvalidValue);
    memcpy(event, &handle, sizeof *event);
    return *event ? hipSuccess : report(hipErrorInvalidValue);
}
