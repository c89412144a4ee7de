__global__ void bank_padding(const int *in, int *out, int n) {
    __shared__ int s[256 + 256 / 32];
    int t = threadIdx.x;
    s[t + t / 32] = in[t];
    __syncthreads();
    int back = 255 - t;
    out[t] = s[back + back / 32];
}
