__global__ void rows_of_32_columns(const int *in, int *out, int n) {
    int row = threadIdx.x / 32, column = threadIdx.x % 32;
    out[column * 8 + row] = in[row * 32 + column];
}
