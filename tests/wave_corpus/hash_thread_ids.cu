// Wang's and djb2's constants: shifts of 5, a multiplier of 33, rotations in a word of 32 bits.
__device__ __forceinline__ unsigned rotl32(unsigned x, int r) { return (x << r) | (x >> (32 - r)); }

__global__ void hash_thread_ids(unsigned *out, unsigned seed)
{
    unsigned tid = threadIdx.x + blockIdx.x * blockDim.x;
    unsigned h = tid ^ seed;
    h = (h << 5) + h + (tid >> 5);
    h ^= h >> 16;
    h = rotl32(h * 0x85ebca6bu, 13) * 5 + 0xe6546b64u;
    h ^= tid & 31;
    out[tid] = h ^ (h >> 5);
}
