// Warp-cooperative lookup: 32 slots are probed at a time, the vote says where the key lies.
template <int Width>
struct Table {
    const unsigned *keys;
    const unsigned *values;
    unsigned buckets;
};

template <int Width>
__device__ unsigned lookup(Table<Width> t, unsigned key)
{
    const unsigned lane = threadIdx.x % Width;
    unsigned bucket = (key * 2654435761u) % t.buckets;
    for (unsigned tries = 0; tries < t.buckets; ++tries) {
        unsigned slot = bucket * Width + lane;
        unsigned found = __ballot_sync(0xffffffffu, t.keys[slot] == key);
        if (found)
            return t.values[bucket * Width + __ffs(found) - 1];
        bucket = (bucket + 1) % t.buckets;
    }
    return 0xdeadbeefu;
}

__global__ void hash_probe(const unsigned *keys, const unsigned *values, const unsigned *queries, unsigned *answers,
                           unsigned buckets, int n)
{
    Table<32> t{keys, values, buckets};
    int q = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
    if (q >= n) return;
    unsigned v = lookup(t, queries[q]);
    if (threadIdx.x % 32 == 0) answers[q] = v;
}
