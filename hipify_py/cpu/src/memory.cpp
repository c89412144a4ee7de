#include "memory.h"

#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <map>
#include <mutex>

#include "engine.h"
#include "fiber.h"
#include "sanitizers.h"

namespace hipcpu {
namespace {

constexpr size_t page = guard_size;
// What may not be touched in front of and behind a buffer: an access far off its ends stays in it.
constexpr size_t guard = 16 * page;

size_t round_up(size_t n, size_t to) { return (n + to - 1) / to * to; }

struct Heap {
    std::mutex mutex;
    std::map<uintptr_t, Buffer> live;
    // The last ones that were freed: their addresses stay reserved, so that a late access faults and can be named.
    static constexpr size_t remembered = 64;
    Buffer freed[remembered];
    size_t next_freed = 0;
    size_t used = 0;
};

Heap& heap() {
    static Heap* own = new Heap;  // outlives the destructors of the process
    return *own;
}

size_t total_memory() {
    static const size_t total = [] {
        const char* wish = getenv("HIPIFY_PY_CPU_MEMORY");  // in MiB
        if (wish && atoll(wish) > 0) return static_cast<size_t>(atoll(wish)) << 20;
        const long pages = sysconf(_SC_PHYS_PAGES);
        return pages > 0 ? static_cast<size_t>(pages) * static_cast<size_t>(sysconf(_SC_PAGESIZE)) / 2 : size_t{1} << 32;
    }();
    return total;
}

Buffer* find_live(Heap& h, const void* address) {
    auto at = reinterpret_cast<uintptr_t>(address);
    auto after = h.live.upper_bound(at);
    if (after == h.live.begin()) return nullptr;
    Buffer& b = (--after)->second;
    return at < reinterpret_cast<uintptr_t>(b.address) + b.size || (b.size == 0 && address == b.address) ? &b : nullptr;
}

}  // namespace

bool allocate(void** pointer, size_t size, Kind kind, unsigned flags) {
    Heap& h = heap();
    std::lock_guard<std::mutex> lock(h.mutex);
    if (size > total_memory() || h.used + size > total_memory()) return false;
    const size_t body = round_up(size, page);
    void* mapping = mmap(nullptr, body + 2 * guard, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (mapping == MAP_FAILED) return false;
    auto* base = static_cast<unsigned char*>(mapping);
    if (body && mprotect(base + guard, body, PROT_READ | PROT_WRITE) != 0) {
        munmap(mapping, body + 2 * guard);
        return false;
    }
    // Kept aligned to 16 bytes, as the widest vectors need; what lies between the end and the page is poison too.
    Buffer b;
    b.address = base + guard + body - round_up(size, 16);
    b.size = size;
    b.kind = kind;
    b.flags = flags;
    b.mapping = base;
    b.mapping_size = body + 2 * guard;
    // Not by memset: ThreadSanitizer would take it for a write of the kernel's.
    auto* word = reinterpret_cast<volatile uint64_t*>(base + guard);
    for (size_t i = 0; i < body / 8; ++i) word[i] = 0xA5A5A5A5A5A5A5A5u;
    if (sanitizers::address()) {
        // The guard pages too: then it is the sanitizer that finds the access, and names its line.
        __asan_poison_memory_region(base, b.mapping_size);
        __asan_unpoison_memory_region(b.address, size);
    }
    h.used += size;
    h.live[reinterpret_cast<uintptr_t>(b.address)] = b;
    *pointer = b.address;
    return true;
}

bool release(void* pointer, bool host) {
    Heap& h = heap();
    std::lock_guard<std::mutex> lock(h.mutex);
    auto it = h.live.find(reinterpret_cast<uintptr_t>(pointer));
    if (it == h.live.end() || it->second.kind == Kind::registered) return false;
    if (host && it->second.kind != Kind::host) return false;
    Buffer& old = h.freed[h.next_freed++ % Heap::remembered];
    if (old.mapping) {
        if (sanitizers::address()) __asan_unpoison_memory_region(old.mapping, old.mapping_size);
        munmap(old.mapping, old.mapping_size);
    }
    old = it->second;
    if (sanitizers::address()) __asan_poison_memory_region(old.mapping, old.mapping_size);
    // The pages go back, the addresses stay taken.
    madvise(old.mapping, old.mapping_size, MADV_DONTNEED);
    mprotect(old.mapping, old.mapping_size, PROT_NONE);
    h.used -= old.size;
    h.live.erase(it);
    return true;
}

bool register_host(void* pointer, size_t size, unsigned flags) {
    Heap& h = heap();
    std::lock_guard<std::mutex> lock(h.mutex);
    Buffer b;
    b.address = static_cast<unsigned char*>(pointer);
    b.size = size;
    b.kind = Kind::registered;
    b.flags = flags;
    return h.live.emplace(reinterpret_cast<uintptr_t>(pointer), b).second;
}

bool unregister_host(void* pointer) {
    Heap& h = heap();
    std::lock_guard<std::mutex> lock(h.mutex);
    auto it = h.live.find(reinterpret_cast<uintptr_t>(pointer));
    if (it == h.live.end() || it->second.kind != Kind::registered) return false;
    h.live.erase(it);
    return true;
}

bool buffer_of(const void* address, Buffer& buffer) {
    Heap& h = heap();
    std::lock_guard<std::mutex> lock(h.mutex);
    Buffer* found = find_live(h, address);
    if (found) buffer = *found;
    return found != nullptr;
}

void memory_totals(size_t& free, size_t& total) {
    Heap& h = heap();
    std::lock_guard<std::mutex> lock(h.mutex);
    total = total_memory();
    free = total - h.used;
}

// Called from the handler of a fault in a kernel, while no thread of ours holds the mutex for long.
bool find_buffer(const void* address, BufferPlace& place) {
    Heap& h = heap();
    std::unique_lock<std::mutex> lock(h.mutex, std::try_to_lock);
    const auto* p = static_cast<const unsigned char*>(address);
    constexpr ptrdiff_t reach = 1 << 20;
    ptrdiff_t best = reach;
    auto consider = [&](const Buffer& b, bool freed) {
        if (!b.mapping) return;
        const ptrdiff_t distance = p < b.address ? b.address - p : p >= b.address + b.size ? p - (b.address + b.size) : 0;
        if (distance < best) {
            best = distance;
            place = {p - b.address, b.size, freed};
        }
    };
    for (const auto& entry : h.live) consider(entry.second, false);
    for (const Buffer& b : h.freed)
        if (p >= b.mapping && p < b.mapping + b.mapping_size) consider(b, true);
    return best < reach;
}

}  // namespace hipcpu
