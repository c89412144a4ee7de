// The vote only leaves early where nothing is to be done.
__global__ void uniform_any(const int *in, int *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (!__any_sync(0xffffffff, in[i] > 7)) return;
    if (in[i] > 7) out[i] = in[i];
}
