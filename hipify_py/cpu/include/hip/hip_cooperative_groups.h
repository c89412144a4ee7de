// Cooperative groups: the block, tiles of a wave, the lanes that are active, and the grid.
#pragma once

#include "hip/hip_runtime.h"

namespace cooperative_groups {

//: A call's place by its line: methods cannot be macros, and a tile's mask tells apart what lines do not.
#define HIPCPU_LINE int line = __builtin_LINE()
#define HIPCPU_LINE_SITE ((1 << 30) | (line & 0xFFFF))

class thread_block {
public:
    void sync(HIPCPU_LINE) const { hipcpu_barrier(0, 0, HIPCPU_LINE_SITE); }
    unsigned thread_rank() const { return threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z); }
    unsigned size() const { return blockDim.x * blockDim.y * blockDim.z; }
    unsigned num_threads() const { return size(); }
    dim3 group_dim() const { return blockDim; }
    dim3 dim_threads() const { return blockDim; }
    dim3 group_index() const { return blockIdx; }
    dim3 thread_index() const { return threadIdx; }
    bool is_valid() const { return true; }
};

class grid_group {
public:
    void sync(HIPCPU_LINE) const { hipcpu_grid_barrier(HIPCPU_LINE_SITE); }
    bool is_valid() const { return hipcpu_is_cooperative() != 0; }
    unsigned long long num_threads() const { return static_cast<unsigned long long>(num_blocks()) * thread_block().size(); }
    unsigned long long size() const { return num_threads(); }
    unsigned long long num_blocks() const { return static_cast<unsigned long long>(gridDim.x) * gridDim.y * gridDim.z; }
    unsigned long long block_rank() const { return blockIdx.x + gridDim.x * (blockIdx.y + static_cast<unsigned long long>(gridDim.y) * blockIdx.z); }
    unsigned long long thread_rank() const { return block_rank() * thread_block().size() + thread_block().thread_rank(); }
    dim3 group_dim() const { return gridDim; }
    dim3 dim_blocks() const { return gridDim; }
    dim3 block_index() const { return blockIdx; }
};

//: Lanes of one wave, by their mask.
class wave_group {
public:
    explicit wave_group(uint64_t mask) : mask_(mask) {}
    void sync(HIPCPU_LINE) const { hipcpu::wave_barrier(HIPCPU_LINE_SITE, mask_); }
    unsigned size() const { return static_cast<unsigned>(__builtin_popcountll(mask_)); }
    unsigned num_threads() const { return size(); }
    unsigned thread_rank() const { return static_cast<unsigned>(__builtin_popcountll(mask_ & ((1ull << hipcpu::lane()) - 1))); }
    template <class T>
    T shfl(T value, unsigned rank, HIPCPU_LINE) const { return move(value, rank, HIPCPU_LINE_SITE); }
    template <class T>
    T shfl_down(T value, unsigned delta, HIPCPU_LINE) const {
        const unsigned rank = thread_rank() + delta;
        return move(value, rank < size() ? rank : thread_rank(), HIPCPU_LINE_SITE);
    }
    template <class T>
    T shfl_up(T value, unsigned delta, HIPCPU_LINE) const {
        const unsigned rank = thread_rank();
        return move(value, rank >= delta ? rank - delta : rank, HIPCPU_LINE_SITE);
    }
    template <class T>
    T shfl_xor(T value, unsigned other, HIPCPU_LINE) const { return move(value, thread_rank() ^ other, HIPCPU_LINE_SITE); }
    int any(int predicate, HIPCPU_LINE) const { return hipcpu::any(HIPCPU_LINE_SITE, mask_, predicate); }
    int all(int predicate, HIPCPU_LINE) const { return hipcpu::all(HIPCPU_LINE_SITE, mask_, predicate); }
    unsigned long long ballot(int predicate, HIPCPU_LINE) const { return pack(hipcpu::ballot(HIPCPU_LINE_SITE, mask_, predicate)); }
    template <class T>
    unsigned long long match_any(T value, HIPCPU_LINE) const { return pack(hipcpu::match_any(HIPCPU_LINE_SITE, mask_, value)); }
    template <class T>
    unsigned long long match_all(T value, int& same, HIPCPU_LINE) const { return pack(hipcpu::match_all(HIPCPU_LINE_SITE, mask_, value, &same)); }
    template <class T, class F>
    T hipcpu_reduce(T value, F op, int site) const { return hipcpu::reduce(site, mask_, value, op); }

protected:
    //: The lane of a rank.
    unsigned lane_of(unsigned rank) const {
        uint64_t rest = mask_;
        while (rank-- && rest) rest &= rest - 1;
        return rest ? static_cast<unsigned>(__builtin_ctzll(rest)) : HIPCPU_WAVE;
    }
    template <class T>
    T move(T value, unsigned rank, int site) const {
        return hipcpu::exchange(site, mask_, value, [=](unsigned) { return rank < size() ? lane_of(rank) : HIPCPU_WAVE; });
    }
    //: The bits of the group's lanes, moved together: bit i is that of rank i.
    unsigned long long pack(unsigned long long lanes) const {
        unsigned long long result = 0;
        unsigned rank = 0;
        for (uint64_t rest = mask_; rest; rest &= rest - 1, ++rank) result |= (lanes >> __builtin_ctzll(rest) & 1) << rank;
        return result;
    }
    uint64_t mask_;
};

class coalesced_group : public wave_group {
public:
    explicit coalesced_group(uint64_t mask) : wave_group(mask) {}
    unsigned meta_group_rank() const { return 0; }
    unsigned meta_group_size() const { return 1; }
};

template <unsigned Size, class Parent = void>
class thread_block_tile : public wave_group {
    static_assert(Size && (Size & (Size - 1)) == 0, "a tile's size is a power of two");
    static_assert(Size <= HIPCPU_WAVE, "a tile is at most one wave");

public:
    thread_block_tile() : wave_group(tile_mask()) {}
    //: A tile forgets whose part it is: `thread_block_tile<32> t = tiled_partition<32>(block)`.
    template <class Other>
    thread_block_tile(const thread_block_tile<Size, Other>& other) : wave_group(other) {}
    static constexpr unsigned size() { return Size; }
    static constexpr unsigned num_threads() { return Size; }
    unsigned thread_rank() const { return hipcpu::lane() % Size; }
    unsigned meta_group_rank() const { return thread_block().thread_rank() / Size; }
    unsigned meta_group_size() const { return (thread_block().size() + Size - 1) / Size; }

private:
    static uint64_t tile_mask() {
        const uint64_t ones = Size == 64 ? ~uint64_t{0} : (uint64_t{1} << (Size & 63)) - 1;
        // The last wave of a block may be short.
        const unsigned first = hipcpu::lane() / Size * Size;
        const unsigned left = thread_block().size() - (thread_block().thread_rank() - hipcpu::lane() % Size);
        return (left < Size ? (uint64_t{1} << left) - 1 : ones) << first;
    }
};

//: Any of the groups, behind one type.
class thread_group {
public:
    thread_group(const thread_block&) : whole_(true), tile_(0) {}
    thread_group(const wave_group& group) : whole_(false), tile_(group) {}
    void sync(HIPCPU_LINE) const { whole_ ? thread_block().sync(line) : tile_.sync(line); }
    unsigned thread_rank() const { return whole_ ? thread_block().thread_rank() : tile_.thread_rank(); }
    unsigned size() const { return whole_ ? thread_block().size() : tile_.size(); }
    unsigned num_threads() const { return size(); }

private:
    bool whole_;
    wave_group tile_;
};

static inline thread_block this_thread_block() { return {}; }
static inline grid_group this_grid() { return {}; }
static inline coalesced_group hipcpu_coalesced(int site) { return coalesced_group(hipcpu::active(site)); }
#define coalesced_threads() hipcpu_coalesced(HIPCPU_SITE)

template <unsigned Size, class Parent>
static inline thread_block_tile<Size, Parent> tiled_partition(const Parent&) { return {}; }
static inline thread_group tiled_partition(const thread_group&, unsigned size) {
    const unsigned first = hipcpu::lane() / size * size;
    return wave_group(((size == 64 ? ~uint64_t{0} : (uint64_t{1} << size) - 1)) << first);
}
template <class G>
static inline coalesced_group binary_partition(const G& group, bool predicate, HIPCPU_LINE) {
    (void)group;
    const unsigned long long yes = hipcpu::ballot(HIPCPU_LINE_SITE, 0, predicate);
    const unsigned long long there = hipcpu::active(HIPCPU_LINE_SITE);
    return coalesced_group(predicate ? yes : there & ~yes);
}
template <class G>
static inline void sync(const G& group, HIPCPU_LINE) { group.sync(line); }
static inline unsigned thread_rank_of(const thread_group& group) { return group.thread_rank(); }

template <class T>
struct plus { T operator()(T a, T b) const { return a + b; } };
template <class T>
struct less { T operator()(T a, T b) const { return b < a ? b : a; } };
template <class T>
struct greater { T operator()(T a, T b) const { return a < b ? b : a; } };
template <class T>
struct bit_and { T operator()(T a, T b) const { return a & b; } };
template <class T>
struct bit_or { T operator()(T a, T b) const { return a | b; } };
template <class T>
struct bit_xor { T operator()(T a, T b) const { return a ^ b; } };

template <class G, class T, class F>
static inline T reduce(const G& group, T value, F op, HIPCPU_LINE) { return group.hipcpu_reduce(value, op, HIPCPU_LINE_SITE); }
template <class G, class T, class F>
static inline T inclusive_scan(const G& group, T value, F op, HIPCPU_LINE) {
    for (unsigned d = 1; d < group.size(); d *= 2) {
        const T other = group.shfl_up(value, d, line);
        if (group.thread_rank() >= d) value = op(other, value);
    }
    return value;
}
template <class G, class T>
static inline T inclusive_scan(const G& group, T value, HIPCPU_LINE) { return inclusive_scan(group, value, plus<T>(), line); }
template <class G, class T, class F>
static inline T exclusive_scan(const G& group, T value, F op, HIPCPU_LINE) {
    const T all = inclusive_scan(group, value, op, line);
    const T before = group.shfl_up(all, 1, line);
    return group.thread_rank() ? before : T{};
}
template <class G, class T>
static inline T exclusive_scan(const G& group, T value, HIPCPU_LINE) { return exclusive_scan(group, value, plus<T>(), line); }

}  // namespace cooperative_groups
