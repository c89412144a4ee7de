#include <cuda.h>
#include <cuda_runtime_api.h>

#include <stdexcept>
#include <string>

static void throw_on_error(cudaError_t code, const char *what)
{
    if (code != cudaSuccess)
        throw std::runtime_error(std::string(what) + ": " + cudaGetErrorName(code) + " (" + cudaGetErrorString(code) + ")");
}

static const int BLOCK_SIZE = 512;
static const int ELEMENTS = 2 * BLOCK_SIZE;

// Exclusive scan of ELEMENTS values a block, after Blelloch: up-sweep, clear the root, down-sweep.
__global__ void scan_blocks(int *data, int *sums, int n)
{
    __shared__ int temp[ELEMENTS];
    const int tid = threadIdx.x;
    const int base = blockIdx.x * ELEMENTS;

    temp[2 * tid] = base + 2 * tid < n ? data[base + 2 * tid] : 0;
    temp[2 * tid + 1] = base + 2 * tid + 1 < n ? data[base + 2 * tid + 1] : 0;

    int offset = 1;
    for (int d = BLOCK_SIZE; d > 0; d >>= 1) {
        __syncthreads();
        if (tid < d) {
            int ai = offset * (2 * tid + 1) - 1;
            int bi = offset * (2 * tid + 2) - 1;
            temp[bi] += temp[ai];
        }
        offset <<= 1;
    }

    if (tid == 0) {
        if (sums != NULL) sums[blockIdx.x] = temp[ELEMENTS - 1];
        temp[ELEMENTS - 1] = 0;
    }

    for (int d = 1; d <= BLOCK_SIZE; d <<= 1) {
        offset >>= 1;
        __syncthreads();
        if (tid < d) {
            int ai = offset * (2 * tid + 1) - 1;
            int bi = offset * (2 * tid + 2) - 1;
            int t = temp[ai];
            temp[ai] = temp[bi];
            temp[bi] += t;
        }
    }
    __syncthreads();

    if (base + 2 * tid < n) data[base + 2 * tid] = temp[2 * tid];
    if (base + 2 * tid + 1 < n) data[base + 2 * tid + 1] = temp[2 * tid + 1];
}

__global__ void add_offsets(int *data, const int *sums, int n)
{
    const int base = blockIdx.x * ELEMENTS + threadIdx.x;
    const int offset = sums[blockIdx.x];
    if (base < n) data[base] += offset;
    if (base + blockDim.x < n) data[base + blockDim.x] += offset;
}

// In place, on device memory; recurses on the sums of the blocks.
void exclusive_scan(int *d_data, int n)
{
    if (n <= 0) return;
    const int blocks = (n + ELEMENTS - 1) / ELEMENTS;

    if (blocks == 1) {
        scan_blocks<<<1, BLOCK_SIZE>>>(d_data, NULL, n);
        throw_on_error(cudaGetLastError(), "scan_blocks");
        return;
    }

    int *d_sums = NULL;
    throw_on_error(cudaMalloc(&d_sums, blocks * sizeof *d_sums), "cudaMalloc");
    scan_blocks<<<blocks, BLOCK_SIZE>>>(d_data, d_sums, n);
    throw_on_error(cudaGetLastError(), "scan_blocks");
    exclusive_scan(d_sums, blocks);
    add_offsets<<<blocks, BLOCK_SIZE>>>(d_data, d_sums, n);
    throw_on_error(cudaGetLastError(), "add_offsets");
    throw_on_error(cudaFree(d_sums), "cudaFree");
}
