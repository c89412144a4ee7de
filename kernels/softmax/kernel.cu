#include <cfloat>
#include <cuda_runtime.h>

// One block a row; rows of any length. The scratch space is as large as the block.
__global__ void softmax_kernel(float* out, const float* inp, int rows, int cols) {
    extern __shared__ float shared[];
    int row = blockIdx.x;
    int tid = threadIdx.x;
    int block_size = blockDim.x;
    if (row >= rows) { return; }
    const float* x = inp + (size_t)row * cols;
    float* y = out + (size_t)row * cols;

    // the maximum first, so that no exponential overflows
    float maxval = -FLT_MAX;
    for (int i = tid; i < cols; i += block_size) {
        maxval = fmaxf(maxval, x[i]);
    }
    shared[tid] = maxval;
    for (int stride = block_size / 2; stride >= 1; stride /= 2) {
        __syncthreads();
        if (tid < stride) {
            shared[tid] = fmaxf(shared[tid], shared[tid + stride]);
        }
    }
    __syncthreads();
    maxval = shared[0];
    __syncthreads();

    float sum = 0.0f;
    for (int i = tid; i < cols; i += block_size) {
        float e = __expf(x[i] - maxval);
        y[i] = e;
        sum += e;
    }
    shared[tid] = sum;
    for (int stride = block_size / 2; stride >= 1; stride /= 2) {
        __syncthreads();
        if (tid < stride) {
            shared[tid] += shared[tid + stride];
        }
    }
    __syncthreads();

    float scale = 1.0f / shared[0];
    for (int i = tid; i < cols; i += block_size) {
        y[i] *= scale;
    }
}

// Device pointers in and out. The block is a power of two, as the trees above need it.
cudaError_t softmax_forward(float* out, const float* inp, int rows, int cols, cudaStream_t stream = 0) {
    if (rows == 0 || cols == 0) { return cudaSuccess; }
    int block_size = 32;
    while (block_size < cols && block_size < 1024) { block_size *= 2; }
    size_t shared_bytes = block_size * sizeof(float);
    softmax_kernel<<<rows, block_size, shared_bytes, stream>>>(out, inp, rows, cols);
    return cudaGetLastError();
}
