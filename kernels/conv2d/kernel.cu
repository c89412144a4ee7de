#include <cuda_runtime.h>
#include <cstdio>

#define MAX_FILTER 15
#define TILE 16

#define gpuErrchk(ans) { gpuAssert((ans), __FILE__, __LINE__); }
inline bool gpuAssert(cudaError_t code, const char *file, int line)
{
   if (code != cudaSuccess)
      fprintf(stderr, "GPUassert: %s %s %d\n", cudaGetErrorString(code), file, line);
   return code == cudaSuccess;
}

__constant__ float d_filter[MAX_FILTER * MAX_FILTER];

// "Same" convolution (a correlation, as deep learning has it) of one channel, zero beyond the border.
// The block loads its tile and the halo around it into dynamic shared memory.
__global__ void conv2d(const float *in, float *out, int width, int height, int radius)
{
   extern __shared__ float tile[];
   const int span = TILE + 2 * radius;
   const int x0 = blockIdx.x * TILE - radius;
   const int y0 = blockIdx.y * TILE - radius;

   for (int i = threadIdx.y * TILE + threadIdx.x; i < span * span; i += TILE * TILE) {
      const int x = x0 + i % span;
      const int y = y0 + i / span;
      tile[i] = (x >= 0 && x < width && y >= 0 && y < height) ? in[y * width + x] : 0.0f;
   }
   __syncthreads();

   const int col = blockIdx.x * TILE + threadIdx.x;
   const int row = blockIdx.y * TILE + threadIdx.y;
   if (col >= width || row >= height) return;

   const int size = 2 * radius + 1;
   float acc = 0.0f;
   for (int fy = 0; fy < size; ++fy)
      for (int fx = 0; fx < size; ++fx)
         acc += d_filter[fy * size + fx] * tile[(threadIdx.y + fy) * span + threadIdx.x + fx];
   out[row * width + col] = acc;
}

bool conv2d_host(const float *in, float *out, int width, int height, const float *filter, int radius)
{
   const int size = 2 * radius + 1;
   const size_t bytes = sizeof(float) * width * height;
   if (size > MAX_FILTER) return false;

   float *d_in = NULL;
   float *d_out = NULL;
   gpuErrchk(cudaMalloc(&d_in, bytes));
   gpuErrchk(cudaMalloc(&d_out, bytes));
   gpuErrchk(cudaMemcpyToSymbol(d_filter, filter, size * size * sizeof(float)));
   gpuErrchk(cudaMemcpy(d_in, in, bytes, cudaMemcpyHostToDevice));

   const dim3 threads(TILE, TILE, 1);
   const dim3 blocks((width + TILE - 1) / TILE, (height + TILE - 1) / TILE, 1);
   const int span = TILE + 2 * radius;
   conv2d<<<blocks, threads, span * span * sizeof(float)>>>(d_in, d_out, width, height, radius);
   gpuErrchk(cudaPeekAtLastError());
   gpuErrchk(cudaMemcpy(out, d_out, bytes, cudaMemcpyDeviceToHost));

   cudaFree(d_in);
   cudaFree(d_out);
   return cudaGetLastError() == cudaSuccess;
}
