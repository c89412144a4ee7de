// Sum a vector over all GPUs of this machine with NCCL.
#include <cstdio>
#include <cstdlib>
#include <vector>
#include <cuda_runtime.h>
#include <nccl.h>

static void stop(const char *what, const char *reason) {
    fprintf(stderr, "%s: %s\n", what, reason);
    exit(EXIT_FAILURE);
}

#define CUDA(call) \
    for (cudaError_t code = (call); code != cudaSuccess;) stop(#call, cudaGetErrorString(code))
#define NCCL(call) \
    for (ncclResult_t code = (call); code != ncclSuccess;) stop(#call, ncclGetErrorString(code))

int main() {
    int devices = 0;
    CUDA(cudaGetDeviceCount(&devices));
    const int size = 1 << 22;
    std::vector<int> ids(devices);
    std::vector<float *> send(devices), receive(devices);
    std::vector<cudaStream_t> streams(devices);
    std::vector<ncclComm_t> comms(devices);
    for (int i = 0; i < devices; ++i) {
        ids[i] = i;
        CUDA(cudaSetDevice(i));
        CUDA(cudaMalloc((void **)&send[i], size * sizeof(float)));
        CUDA(cudaMalloc((void **)&receive[i], size * sizeof(float)));
        CUDA(cudaMemset(send[i], 1, size * sizeof(float)));
        CUDA(cudaStreamCreate(&streams[i]));
    }
    int version = 0;
    NCCL(ncclGetVersion(&version));
    NCCL(ncclCommInitAll(comms.data(), devices, ids.data()));
    NCCL(ncclGroupStart());
    for (int i = 0; i < devices; ++i)
        NCCL(ncclAllReduce(send[i], receive[i], size, ncclFloat, ncclSum, comms[i], streams[i]));
    NCCL(ncclGroupEnd());
    NCCL(ncclGroupStart());
    for (int i = 0; i < devices; ++i) {
        NCCL(ncclBroadcast(send[i], receive[i], size, ncclFloat32, 0, comms[i], streams[i]));
        NCCL(ncclReduceScatter(send[i], receive[i], size / devices, ncclFloat, ncclMax, comms[i], streams[i]));
    }
    NCCL(ncclGroupEnd());
    for (int i = 0; i < devices; ++i) {
        CUDA(cudaSetDevice(i));
        CUDA(cudaStreamSynchronize(streams[i]));
        CUDA(cudaFree(send[i]));
        CUDA(cudaFree(receive[i]));
        ncclCommDestroy(comms[i]);
    }
    printf("summed with NCCL %d\n", version);
    return 0;
}
