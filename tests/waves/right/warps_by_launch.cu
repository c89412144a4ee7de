// Named after warps, but only an index.
__global__ void warps_by_launch(const int *in, int *out, int n) {
    const int warp_id = threadIdx.x / 32, lane_id = threadIdx.x % 32;
    for (int k = warp_id; k < 8; k += blockDim.x / 32) out[k * 32 + lane_id] = in[k * 32 + lane_id] + k;
}
