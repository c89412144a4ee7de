// Barriers and the collectives of a wave.
//
// Lanes that have gone different ways wait at different places. Which of them goes first is decided by the order of the
// places in the source, and so each place needs a number that grows with the source: a counter of the preprocessor. A
// return address would not do, since compilers order the pieces of a function as they like.
#pragma once

#define HIPCPU_SITE ((__COUNTER__ << 16) | (__LINE__ & 0xFFFF))

namespace hipcpu {

constexpr uint64_t whole_wave = HIPCPU_WAVE == 64 ? ~uint64_t{0} : (uint64_t{1} << (HIPCPU_WAVE & 63)) - 1;

HIPCPU_INLINE unsigned lane() {
    return (threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z)) % HIPCPU_WAVE;
}

//: The lanes of a mask that this block has at all; 0 stays 0: whoever is there.
HIPCPU_INLINE uint64_t named(uint64_t mask) { return mask & whole_wave; }

template <class T>
HIPCPU_NO_TSAN HIPCPU_INLINE T peek(const Exchange* e, unsigned lane) {
    T value;
    __builtin_memcpy(&value, e->values[lane], sizeof value);
    return value;
}

//: Gives a value and takes the one of the lane that `source` names; its own when that lane takes no part.
template <class T, class F>
HIPCPU_NO_TSAN inline T exchange(int site, uint64_t mask, T value, F source) {
    static_assert(sizeof(T) <= Exchange::value_size, "a shuffle moves at most 32 bytes");
    static_assert(std::is_trivially_copyable_v<T>, "a shuffle moves plain data");
    const unsigned me = lane();
    const Exchange* e = hipcpu_collective(site, mask, &value, sizeof value);
    const unsigned from = source(me);
    if (from >= HIPCPU_WAVE || !(e->group >> from & 1)) return value;
    return peek<T>(e, from);
}

template <class T>
HIPCPU_NO_TSAN inline T shuffle(int site, uint64_t mask, T value, int source, int width = HIPCPU_WAVE) {
    return exchange(site, mask, value, [=](unsigned me) {
        return (me & ~static_cast<unsigned>(width - 1)) + (static_cast<unsigned>(source) & static_cast<unsigned>(width - 1));
    });
}
template <class T>
HIPCPU_NO_TSAN inline T shuffle_up(int site, uint64_t mask, T value, unsigned delta, int width = HIPCPU_WAVE) {
    return exchange(site, mask, value, [=](unsigned me) { return (me & static_cast<unsigned>(width - 1)) < delta ? me : me - delta; });
}
template <class T>
HIPCPU_NO_TSAN inline T shuffle_down(int site, uint64_t mask, T value, unsigned delta, int width = HIPCPU_WAVE) {
    return exchange(site, mask, value, [=](unsigned me) {
        return (me & static_cast<unsigned>(width - 1)) + delta >= static_cast<unsigned>(width) ? me : me + delta;
    });
}
template <class T>
HIPCPU_NO_TSAN inline T shuffle_xor(int site, uint64_t mask, T value, int other, int width = HIPCPU_WAVE) {
    return exchange(site, mask, value, [=](unsigned me) {
        const unsigned from = me ^ static_cast<unsigned>(other);
        return from >= (me & ~static_cast<unsigned>(width - 1)) + static_cast<unsigned>(width) ? me : from;
    });
}

HIPCPU_NO_TSAN inline unsigned long long ballot(int site, uint64_t mask, int predicate) {
    predicate = predicate != 0;
    const Exchange* e = hipcpu_collective(site, mask, &predicate, sizeof predicate);
    unsigned long long result = 0;
    for (unsigned i = 0; i < HIPCPU_WAVE; ++i)
        if (e->group >> i & 1) result |= static_cast<unsigned long long>(peek<int>(e, i)) << i;
    return result;
}
HIPCPU_NO_TSAN inline int any(int site, uint64_t mask, int predicate) { return ballot(site, mask, predicate) != 0; }
HIPCPU_NO_TSAN inline int all(int site, uint64_t mask, int predicate) { return ballot(site, mask, !predicate) == 0; }
HIPCPU_NO_TSAN inline unsigned long long active(int site) {
    int nothing = 0;
    return hipcpu_collective(site, 0, &nothing, sizeof nothing)->group;
}
template <class T>
HIPCPU_NO_TSAN inline unsigned long long match_any(int site, uint64_t mask, T value) {
    const Exchange* e = hipcpu_collective(site, mask, &value, sizeof value);
    unsigned long long result = 0;
    for (unsigned i = 0; i < HIPCPU_WAVE; ++i)
        if ((e->group >> i & 1) && peek<T>(e, i) == value) result |= 1ull << i;
    return result;
}
template <class T>
HIPCPU_NO_TSAN inline unsigned long long match_all(int site, uint64_t mask, T value, int* all_equal) {
    const Exchange* e = hipcpu_collective(site, mask, &value, sizeof value);
    bool equal = true;
    for (unsigned i = 0; i < HIPCPU_WAVE; ++i)
        if ((e->group >> i & 1) && !(peek<T>(e, i) == value)) equal = false;
    if (all_equal) *all_equal = equal;
    return equal ? e->group : 0;
}
template <class T, class F>
HIPCPU_NO_TSAN inline T reduce(int site, uint64_t mask, T value, F op) {
    const Exchange* e = hipcpu_collective(site, mask, &value, sizeof value);
    bool first = true;
    T result = value;
    for (unsigned i = 0; i < HIPCPU_WAVE; ++i) {
        if (!(e->group >> i & 1)) continue;
        const T other = peek<T>(e, i);
        result = first ? other : op(result, other);
        first = false;
    }
    return result;
}
inline void wave_barrier(int site, uint64_t mask) {
    int nothing = 0;
    hipcpu_collective(site, mask, &nothing, sizeof nothing);
}

}  // namespace hipcpu

#define __syncthreads() ((void)hipcpu_barrier(0, 0, HIPCPU_SITE))
#define __syncthreads_count(predicate) hipcpu_barrier(1, (predicate) != 0, HIPCPU_SITE)
#define __syncthreads_and(predicate) hipcpu_barrier(2, (predicate) != 0, HIPCPU_SITE)
#define __syncthreads_or(predicate) hipcpu_barrier(3, (predicate) != 0, HIPCPU_SITE)
#define __builtin_amdgcn_s_barrier() __syncthreads()

#define __shfl(...) ::hipcpu::shuffle(HIPCPU_SITE, 0, __VA_ARGS__)
#define __shfl_up(...) ::hipcpu::shuffle_up(HIPCPU_SITE, 0, __VA_ARGS__)
#define __shfl_down(...) ::hipcpu::shuffle_down(HIPCPU_SITE, 0, __VA_ARGS__)
#define __shfl_xor(...) ::hipcpu::shuffle_xor(HIPCPU_SITE, 0, __VA_ARGS__)
#define __shfl_sync(...) ::hipcpu::shuffle(HIPCPU_SITE, __VA_ARGS__)
#define __shfl_up_sync(...) ::hipcpu::shuffle_up(HIPCPU_SITE, __VA_ARGS__)
#define __shfl_down_sync(...) ::hipcpu::shuffle_down(HIPCPU_SITE, __VA_ARGS__)
#define __shfl_xor_sync(...) ::hipcpu::shuffle_xor(HIPCPU_SITE, __VA_ARGS__)
#define __ballot(...) ::hipcpu::ballot(HIPCPU_SITE, 0, __VA_ARGS__)
#define __ballot64(...) ::hipcpu::ballot(HIPCPU_SITE, 0, __VA_ARGS__)
#define __any(...) ::hipcpu::any(HIPCPU_SITE, 0, __VA_ARGS__)
#define __all(...) ::hipcpu::all(HIPCPU_SITE, 0, __VA_ARGS__)
#define __ballot_sync(...) ::hipcpu::ballot(HIPCPU_SITE, __VA_ARGS__)
#define __any_sync(...) ::hipcpu::any(HIPCPU_SITE, __VA_ARGS__)
#define __all_sync(...) ::hipcpu::all(HIPCPU_SITE, __VA_ARGS__)
#define __activemask() ::hipcpu::active(HIPCPU_SITE)
#define __match_any(...) ::hipcpu::match_any(HIPCPU_SITE, 0, __VA_ARGS__)
#define __match_any_sync(...) ::hipcpu::match_any(HIPCPU_SITE, __VA_ARGS__)
#define __match_all(...) ::hipcpu::match_all(HIPCPU_SITE, 0, __VA_ARGS__)
#define __match_all_sync(...) ::hipcpu::match_all(HIPCPU_SITE, __VA_ARGS__)
#define HIPCPU_REDUCE(mask, value, expression) \
    ::hipcpu::reduce(HIPCPU_SITE, mask, value, [](auto a, auto b) { return expression; })
#define __reduce_add_sync(mask, value) HIPCPU_REDUCE(mask, value, a + b)
#define __reduce_min_sync(mask, value) HIPCPU_REDUCE(mask, value, a < b ? a : b)
#define __reduce_max_sync(mask, value) HIPCPU_REDUCE(mask, value, a < b ? b : a)
#define __reduce_and_sync(mask, value) HIPCPU_REDUCE(mask, value, a & b)
#define __reduce_or_sync(mask, value) HIPCPU_REDUCE(mask, value, a | b)
#define __reduce_xor_sync(mask, value) HIPCPU_REDUCE(mask, value, a ^ b)
#define __syncwarp(...) ::hipcpu::wave_barrier(HIPCPU_SITE, ::hipcpu::first_or_zero(__VA_ARGS__))
#define __builtin_amdgcn_wave_barrier() ::hipcpu::wave_barrier(HIPCPU_SITE, 0)

namespace hipcpu {
constexpr uint64_t first_or_zero(uint64_t mask = 0) { return mask; }
}  // namespace hipcpu

HIPCPU_FN unsigned __lane_id() { return hipcpu::lane(); }
HIPCPU_FN unsigned long long __lanemask_lt() { return (1ull << hipcpu::lane()) - 1; }
HIPCPU_FN unsigned long long __lanemask_eq() { return 1ull << hipcpu::lane(); }
HIPCPU_FN unsigned long long __lanemask_le() { return __lanemask_lt() | __lanemask_eq(); }
HIPCPU_FN unsigned long long __lanemask_gt() { return hipcpu::whole_wave & ~__lanemask_le(); }
HIPCPU_FN unsigned long long __lanemask_ge() { return hipcpu::whole_wave & ~__lanemask_lt(); }
