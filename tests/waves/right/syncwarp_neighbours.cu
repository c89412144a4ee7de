__global__ void syncwarp_neighbours(const int *in, int *out, int n) {
    __shared__ int s[256];
    s[threadIdx.x] = in[threadIdx.x];
    __syncwarp();
    out[threadIdx.x] = s[threadIdx.x ^ 1] + s[threadIdx.x ^ 16];
}
