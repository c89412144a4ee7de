// CRC-32 bit by bit, a row a thread.
__global__ void crc32_rows(const unsigned char *data, unsigned *crc, int length)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned c = 0xffffffff;
    for (int i = 0; i < length; ++i) {
        c ^= data[row * length + i];
        for (int b = 0; b < 8; ++b) c = c & 1 ? (c >> 1) ^ 0xEDB88320u : c >> 1;
    }
    crc[row] = c ^ 0xffffffff;
}
