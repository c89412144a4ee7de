// A row a group of 32: the sum ends in its first lane.
__global__ void spmv_row_a_group(const int *in, int *out, int n) {
    int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x & 31, sum = 0;
    for (int k = lane; k < 100; k += 32) sum += in[(row * 7 + k) & 255];
    sum += __shfl_down_sync(0xffffffff, sum, 16);
    sum += __shfl_down_sync(0xffffffff, sum, 8);
    sum += __shfl_down_sync(0xffffffff, sum, 4);
    sum += __shfl_down_sync(0xffffffff, sum, 2);
    sum += __shfl_down_sync(0xffffffff, sum, 1);
    if (lane == 0) out[row] = sum;
}
