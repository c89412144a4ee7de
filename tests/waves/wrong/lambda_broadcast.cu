__global__ void lambda_broadcast(const int *in, int *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    auto from = [&](int lane) { return __shfl_sync(0xffffffff, in[i], lane); };
    out[i] = from(0) + 2 * from(5);
}
