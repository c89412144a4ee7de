// Union-find by pointer jumping until nobody moves: more rounds than needed change nothing.
__global__ void any_idempotent_loop(const int *parent, int *root)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int r = i;
    bool moved;
    do {
        int p = parent[r];
        moved = p != r;
        r = p;
    } while (__any_sync(0xffffffff, moved));
    root[i] = r;
}
