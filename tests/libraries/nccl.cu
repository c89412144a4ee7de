// Sum a vector over all GPUs of this machine with NCCL.
#include <cstdio>
#include <cstdlib>
#include <vector>
#include <cuda_runtime.h>
#include <nccl.h>

#define CUDACHECK(cmd)                                                                              \
    do {                                                                                            \
        cudaError_t e = cmd;                                                                        \
        if (e != cudaSuccess) {                                                                     \
            printf("Failed: Cuda error %s:%d '%s'\n", __FILE__, __LINE__, cudaGetErrorString(e));   \
            exit(EXIT_FAILURE);                                                                     \
        }                                                                                           \
    } while (0)

#define NCCLCHECK(cmd)                                                                              \
    do {                                                                                            \
        ncclResult_t r = cmd;                                                                       \
        if (r != ncclSuccess) {                                                                     \
            printf("Failed, NCCL error %s:%d '%s'\n", __FILE__, __LINE__, ncclGetErrorString(r));   \
            exit(EXIT_FAILURE);                                                                     \
        }                                                                                           \
    } while (0)

int main() {
    int devices = 0;
    CUDACHECK(cudaGetDeviceCount(&devices));
    const int size = 32 * 1024 * 1024;
    std::vector<int> ids(devices);
    std::vector<float *> send(devices), receive(devices);
    std::vector<cudaStream_t> streams(devices);
    std::vector<ncclComm_t> comms(devices);
    for (int i = 0; i < devices; ++i) {
        ids[i] = i;
        CUDACHECK(cudaSetDevice(i));
        CUDACHECK(cudaMalloc((void **)&send[i], size * sizeof(float)));
        CUDACHECK(cudaMalloc((void **)&receive[i], size * sizeof(float)));
        CUDACHECK(cudaMemset(send[i], 1, size * sizeof(float)));
        CUDACHECK(cudaStreamCreate(&streams[i]));
    }
    int version = 0;
    NCCLCHECK(ncclGetVersion(&version));
    NCCLCHECK(ncclCommInitAll(comms.data(), devices, ids.data()));
    NCCLCHECK(ncclGroupStart());
    for (int i = 0; i < devices; ++i)
        NCCLCHECK(ncclAllReduce(send[i], receive[i], size, ncclFloat, ncclSum, comms[i], streams[i]));
    NCCLCHECK(ncclGroupEnd());
    NCCLCHECK(ncclGroupStart());
    for (int i = 0; i < devices; ++i) {
        NCCLCHECK(ncclBroadcast(send[i], receive[i], size, ncclFloat32, 0, comms[i], streams[i]));
        NCCLCHECK(ncclReduceScatter(send[i], receive[i], size / devices, ncclFloat, ncclMax, comms[i], streams[i]));
    }
    NCCLCHECK(ncclGroupEnd());
    for (int i = 0; i < devices; ++i) {
        CUDACHECK(cudaSetDevice(i));
        CUDACHECK(cudaStreamSynchronize(streams[i]));
        CUDACHECK(cudaFree(send[i]));
        CUDACHECK(cudaFree(receive[i]));
        ncclCommDestroy(comms[i]);
    }
    printf("NCCL %d: success\n", version);
    return 0;
}
