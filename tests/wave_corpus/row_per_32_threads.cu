// 32 threads a row, but nothing passes between them.
__global__ void row_per_32_threads(const float *img, float *out, int width, int height)
{
    const int kThreadsPerRow = 32;
    int row = (blockIdx.x * blockDim.x + threadIdx.x) / kThreadsPerRow;
    if (row >= height) return;
    for (int x = threadIdx.x % kThreadsPerRow; x < width; x += kThreadsPerRow)
        out[row * width + x] = img[row * width + (width - 1 - x)];
}
