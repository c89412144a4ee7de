__global__ void hash_by_shifts(const int *in, int *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned h = in[i] * 2654435761u;
    h ^= h >> 16;
    h = (h << 5) | (h >> 27);
    out[i] = (int)(h & 31);
}
