// A picture is warped; nothing here has lanes.
#define WARP_GRID 32
__global__ void names_that_say_warp(const int *in, int *out, int n) {
    int x = threadIdx.x % WARP_GRID, y = threadIdx.x / WARP_GRID;
    int warped = (x * 3 + y * 5) & 255;
    out[threadIdx.x] = in[warped];
}
