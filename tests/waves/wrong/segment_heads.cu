// Marks where a run begins, inside each warp.
template <int WARP = 32>
__device__ bool is_head(int key, int lane) {
    int before = __shfl_up_sync(0xffffffff, key, 1);
    return lane == 0 || key != before;
}
__global__ void segment_heads(const int *in, int *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned heads = __ballot_sync(0xffffffff, is_head<>(in[i] / 4, threadIdx.x % 32));
    out[i] = heads;
}
