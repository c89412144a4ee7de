// The tree goes through shared memory with the block's barrier all the way.
__global__ void softmax_shared_tree(const float *x, float *y, int cols)
{
    __shared__ float s[128];
    int t = threadIdx.x;
    const float *row = x + blockIdx.x * cols;
    float sum = 0.f;
    for (int c = t; c < cols; c += 128) sum += expf(row[c]);
    s[t] = sum;
    __syncthreads();
    for (int k = 64; k >= 1; k /= 2) {
        if (t < k) s[t] += s[t + k];
        if (k >= 32) __syncthreads(); else __syncthreads();
    }
    for (int c = t; c < cols; c += 128) y[blockIdx.x * cols + c] = expf(row[c]) / s[0];
}
