// Binary matrix product: 32 products a word.
__global__ void xnor_popcount(const unsigned *a, const unsigned *b, int *c, int n, int k)
{
    const int bits = 32;
    int row = blockIdx.y * blockDim.y + threadIdx.y, col = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= n || col >= n) return;
    int acc = 0;
    for (int w = 0; w < k / bits; ++w) acc += __popc(~(a[row * (k / bits) + w] ^ b[col * (k / bits) + w]));
    c[row * n + col] = 2 * acc - k;
}
