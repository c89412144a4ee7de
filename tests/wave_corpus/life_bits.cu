// Conway's life, 32 cells a word, each thread a word.
__global__ void life_bits(const unsigned *now, unsigned *next, int words_per_row, int rows)
{
    int w = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y;
    if (w >= words_per_row) return;
    unsigned result = 0;
    for (int b = 0; b < 32; ++b) {
        int x = w * 32 + b, alive = 0, self = 0;
        for (int dy = -1; dy <= 1; ++dy)
            for (int dx = -1; dx <= 1; ++dx) {
                int xx = (x + dx + words_per_row * 32) % (words_per_row * 32), yy = (y + dy + rows) % rows;
                int cell = now[yy * words_per_row + (xx >> 5)] >> (xx & 31) & 1;
                if (dx || dy) alive += cell; else self = cell;
            }
        if (alive == 3 || (alive == 2 && self)) result |= 1u << b;
    }
    next[y * words_per_row + w] = result;
}
