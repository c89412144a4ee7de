#include "engine.h"

#include <dlfcn.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

#include <chrono>
#include <condition_variable>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <thread>
#include <vector>

#include "fiber.h"
#include "sanitizers.h"

#pragma GCC visibility push(default)
extern "C" {
    HIPCPU_THREAD uint3 threadIdx;
    HIPCPU_THREAD uint3 blockIdx;
    HIPCPU_THREAD dim3 blockDim;
    HIPCPU_THREAD dim3 gridDim;
    HIPCPU_THREAD hipcpu::Frontier hipcpu_frontier;
    HIPCPU_THREAD unsigned char* hipcpu_shared;
    HIPCPU_THREAD unsigned char* hipcpu_dynamic;
}
#pragma GCC visibility pop

namespace hipcpu {
namespace {

#define HIPCPU_ALWAYS_INLINE inline __attribute__((always_inline))

constexpr int error_illegal_address = 700;
constexpr int error_launch_timeout = 702;
constexpr int error_launch_failure = 719;
constexpr size_t page = guard_size;
constexpr unsigned char poison = 0xA5;

enum class Wait : uint8_t { none, ready, barrier, collective, grid };

//: One GPU thread. What a barrier touches comes first and fits one line of the cache.
struct alignas(64) Lane {
    void* top = nullptr;  // the stack pointer, while the lane waits
    Fiber* fiber = nullptr;
    uint3 index{};
    int site = 0;
    int predicate = 0;
    Wait wait = Wait::none;
    uint32_t barriers = 0, collectives = 0;  // ThreadSanitizer: which of two objects comes next
    uint64_t mask = 0;
};

//: What the lanes of a wave have given to collectives that are still open.
struct Pending {
    uint32_t waiting = 0;
    uint32_t size = 0;
    int site = 0;
    uint64_t mask = 0;
    bool alike = true;  // all of one site, mask and size
    alignas(16) unsigned char values[64][Exchange::value_size];
    uint32_t sizes[64];
};

// An own loop, so that ThreadSanitizer, which intercepts memcpy, does not see the engine at work.
void copy_bytes(void* to, const void* from, size_t size) {
    auto* t = static_cast<volatile unsigned char*>(to);
    auto* f = static_cast<const volatile unsigned char*>(from);
    for (size_t i = 0; i < size; ++i) t[i] = f[i];
}

HIPCPU_ALWAYS_INLINE void copy_value(void* to, const void* from, size_t size) {
    if (size == 4) *static_cast<uint32_t*>(to) = *static_cast<const uint32_t*>(from);
    else if (size == 8) *static_cast<uint64_t*>(to) = *static_cast<const uint64_t*>(from);
    else copy_bytes(to, from, size);
}

struct Launch;

//: One block in flight.
struct Block {
    uint3 index{};
    uint32_t count = 0;    // lanes of the block
    uint32_t started = 0;  // the lanes below have begun
    uint32_t current = 0;  // the lane that runs, unless the frontier does
    uint32_t at_barrier = 0, at_grid = 0, in_collective = 0;
    // The lanes that may go on: first a range, as after a barrier, then a list.
    uint32_t sweep_next = 0, sweep_end = 0;
    std::vector<Lane> lanes;
    std::vector<uint32_t> ready;
    size_t ready_head = 0;
    std::vector<Exchange> exchanges;  // by wave
    std::vector<Pending> pending;     // by wave
    // The barrier that fills: its place, and what its lanes have said.
    int barrier_site = 0, barrier_other = 0, barrier_total = 0;
    int answer_total = 0;
    uint32_t answer_lanes = 0;
    unsigned char* memory = nullptr;     // static shared, guard, dynamic shared, guard
    size_t memory_size = 0, static_size = 0;
    unsigned char* dynamic = nullptr;
    char barrier_object[2]{};
    char wave_object[64][2]{};
    char end_object = 0;
    bool finished = false;
    uint32_t poisonings = 0;

    void map(const Launch& launch);
    void unmap() {
        if (memory) munmap(memory, memory_size);
        memory = nullptr;
    }
    void poison_shared(const Launch& launch);
    bool idle() const { return at_barrier + at_grid + in_collective == 0 && sweep_next == sweep_end && ready_head == ready.size(); }
};

struct Launch {
    Request request;
    uint64_t blocks = 0, chunk = 1;
    uint32_t threads = 0;
    std::atomic<uint64_t> next{0};
    std::atomic<int> error{0};
    std::atomic<unsigned> said{0};
    uint64_t serial = 0;
    double limit = 0;  // seconds, 0: none
};

enum Said : unsigned { said_divergent = 1, said_exited = 2, said_mask = 4, said_timeout = 8 };

struct Worker {
    Fiber main;
    Fiber* current = nullptr;
    Fiber* spare = nullptr;
    uint32_t fibers = 0;
    Launch* launch = nullptr;
    Block* block = nullptr;
    Block own;               // the block of a launch that is not cooperative
    uint64_t serial = 0;     // of the launch that `own` was mapped for
    std::vector<unsigned char> alternate;
    bool plain = true;       // no sanitizer watches
    pthread_t thread{};      // that it works in
};

__thread Worker* worker __attribute__((tls_model("initial-exec"))) = nullptr;

void say(const char* format, ...) __attribute__((format(printf, 1, 2)));
void say(const char* format, ...) {
    char text[1024];
    va_list list;
    va_start(list, format);
    int length = vsnprintf(text, sizeof text, format, list);
    va_end(list);
    if (length > static_cast<int>(sizeof text) - 1) length = sizeof text - 1;
    fflush(stdout);
    ssize_t ignored = write(2, text, length);
    (void)ignored;
}

bool first_time(Launch& launch, unsigned bit) { return (launch.said.fetch_or(bit) & bit) == 0; }

size_t round_up(size_t n, size_t to) { return (n + to - 1) / to * to; }

void Block::map(const Launch& launch) {
    static_size = round_up(launch.request.module ? launch.request.module->shared_size : 0, page);
    const size_t dynamic_size = round_up(launch.request.shared, page);
    const size_t size = static_size + dynamic_size + 2 * page;
    if (memory && memory_size < size) unmap();
    if (!memory) {
        void* p = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (p == MAP_FAILED) return;
        memory = static_cast<unsigned char*>(p);
        memory_size = size;
    } else {
        mprotect(memory, memory_size, PROT_READ | PROT_WRITE);
        if (sanitizers::address()) __asan_unpoison_memory_region(memory, memory_size);
    }
    mprotect(memory + static_size, page, PROT_NONE);
    mprotect(memory + static_size + page + dynamic_size, page, PROT_NONE);
    // A block's dynamic memory ends where the guard begins.
    dynamic = memory + static_size + page + dynamic_size - round_up(launch.request.shared, 16);
    if (sanitizers::address() && launch.request.module) {
        const Module& module = *launch.request.module;
        __asan_poison_memory_region(memory, static_size);
        for (uint32_t i = 0; i < module.slot_count; ++i)
            __asan_unpoison_memory_region(memory + module.slots[i].offset, module.slots[i].size);
        const size_t rest = round_up(launch.request.shared, 16) - launch.request.shared;
        if (rest) __asan_poison_memory_region(dynamic + launch.request.shared, rest);
    }
}

void Block::poison_shared(const Launch& launch) {
    // Not by memset, which the sanitizers look into; volatile, so that the compiler does not make one of it.
    auto fill = [](unsigned char* at, size_t size) {
        auto* word = reinterpret_cast<volatile uint64_t*>(at);
        for (size_t i = 0; i < size / 8; ++i) word[i] = 0xA5A5A5A5A5A5A5A5u;
    };
    if (launch.request.module) fill(memory, round_up(launch.request.module->shared_size, 16));
    if (launch.request.shared) fill(dynamic, round_up(launch.request.shared, 16));
}

void show_block(const Block& block) {
    blockIdx = block.index;
    hipcpu_shared = block.memory;
    hipcpu_dynamic = block.dynamic;
}

uint32_t linear(uint3 i) { return i.x + blockDim.x * (i.y + blockDim.y * i.z); }

uint3 spread(uint32_t lane) {
    return {lane % blockDim.x, lane / blockDim.x % blockDim.y, lane / (blockDim.x * blockDim.y)};
}

uint32_t current_lane() {
    return hipcpu_frontier == Frontier::yes ? linear(threadIdx) : worker->block->current;
}

void begin_lanes();

Fiber* take_fiber() {
    Worker& w = *worker;
    Fiber* fiber = w.spare;
    if (fiber) {
        w.spare = fiber->free_next;
    } else {
        fiber = make_fiber(w.fibers);
        if (!fiber) hipcpu_fail(2, "no memory for the stacks of a block's threads");
        ++w.fibers;
    }
    prepare(*fiber, begin_lanes);
    return fiber;
}

void give_fiber(Fiber* fiber) {
    if (sanitizers::thread()) return;  // each block has its own there
    fiber->free_next = worker->spare;
    worker->spare = fiber;
}

//: The fiber that starts the next lane. ThreadSanitizer has one fiber a lane, made when the block begins.
Fiber* fiber_for_next() {
    Block& b = *worker->block;
    if (sanitizers::thread()) return b.lanes[b.started].fiber;
    return take_fiber();
}

//: Lets the lanes of a wave that wait at one collective go on. False when none can.
bool resolve_wave(Block& b, uint32_t wave) {
    Pending& pending = b.pending[wave];
    if (!pending.waiting) return false;
    const uint32_t size = worker->launch->request.wave;
    const uint32_t low = wave * size;
    const uint32_t high = low + size < b.count ? low + size : b.count;
    if (high > b.started) return false;
    const uint64_t present = high - low == 64 ? ~uint64_t{0} : (uint64_t{1} << (high - low)) - 1;
    Exchange& exchange = b.exchanges[wave];
    exchange.present = present;
    if (pending.alike && pending.waiting == high - low) {
        // The usual case: the whole wave, at one place.
        exchange.group = present;
        for (uint32_t k = 0; k < high - low; ++k) copy_value(exchange.values[k], pending.values[k], pending.size);
        b.in_collective -= pending.waiting;
        pending.waiting = 0;
        b.sweep_next = low;
        b.sweep_end = high;
        return true;
    }

    // The place that comes first in the source; lanes of one place that name different masks are different groups. A
    // group that is complete goes before one that lacks a lane which its mask names.
    const Lane* chosen = nullptr;
    uint64_t chosen_group = 0;
    bool chosen_complete = false;
    for (uint32_t i = low; i < high; ++i) {
        const Lane& lane = b.lanes[i];
        if (lane.wait != Wait::collective) continue;
        if (chosen && lane.site == chosen->site && lane.mask == chosen->mask) continue;
        uint64_t group = 0;
        for (uint32_t k = low; k < high; ++k) {
            const Lane& other = b.lanes[k];
            if (other.wait == Wait::collective && other.site == lane.site && other.mask == lane.mask)
                group |= uint64_t{1} << (k - low);
        }
        const bool complete = (lane.mask & present & ~group) == 0;
        if (!chosen || (complete && !chosen_complete) || (complete == chosen_complete && lane.site < chosen->site)) {
            chosen = &lane;
            chosen_group = group;
            chosen_complete = complete;
        }
    }
    if (!chosen_complete) {
        worker->launch->error.store(error_launch_failure);
        if (first_time(*worker->launch, said_mask))
            say("hipcpu: kernel %s: block (%u,%u,%u), wave %u: lanes %#llx, named in the mask of a collective at line %d, "
                "did not take part\n",
                worker->launch->request.name, b.index.x, b.index.y, b.index.z, wave,
                static_cast<unsigned long long>(chosen->mask & present & ~chosen_group), chosen->site & 0xFFFF);
    }

    exchange.group = chosen_group;
    for (uint32_t k = 0; k < high - low; ++k) {
        if (!(chosen_group >> k & 1)) continue;
        copy_value(exchange.values[k], pending.values[k], pending.sizes[k]);
        b.lanes[low + k].wait = Wait::ready;
        b.ready.push_back(low + k);
        --b.in_collective;
        --pending.waiting;
    }
    pending.alike = false;  // the rest is judged lane by lane, until none waits
    return true;
}

void release_barrier(Block& b) {
    Launch& launch = *worker->launch;
    if (b.barrier_other) {
        launch.error.store(error_launch_failure);
        if (first_time(launch, said_divergent))
            say("hipcpu: kernel %s: block (%u,%u,%u): threads wait at different barriers (lines %d and %d)\n",
                launch.request.name, b.index.x, b.index.y, b.index.z, b.barrier_site & 0xFFFF, b.barrier_other & 0xFFFF);
    }
    b.answer_total = b.barrier_total;
    b.answer_lanes = b.at_barrier;
    if (b.at_barrier == b.count) {
        b.sweep_next = 0;
        b.sweep_end = b.count;
    } else {
        if (first_time(launch, said_exited))
            say("hipcpu: kernel %s: block (%u,%u,%u): warning: %u of %u threads had ended or wait elsewhere when the others "
                "reached the barrier at line %d\n",
                launch.request.name, b.index.x, b.index.y, b.index.z, b.count - b.at_barrier, b.count, b.barrier_site & 0xFFFF);
        for (uint32_t i = 0; i < b.count; ++i) {
            if (b.lanes[i].wait != Wait::barrier) continue;
            b.lanes[i].wait = Wait::ready;
            b.ready.push_back(i);
        }
    }
    b.at_barrier = 0;
}

enum class Next { resume, start, leave };

//: Decides what runs next in the block.
Next choose(Block& b) {
    const uint32_t size = worker->launch->request.wave;
    for (;;) {
        if (b.sweep_next < b.sweep_end) {
            b.current = b.sweep_next++;
            return Next::resume;
        }
        if (b.ready_head < b.ready.size()) {
            b.current = b.ready[b.ready_head++];
            if (b.ready_head == b.ready.size()) {
                b.ready.clear();
                b.ready_head = 0;
            }
            return Next::resume;
        }
        // A wave is finished with before the next begins: its stacks serve again, and the cache still knows them.
        if (b.started < b.count && b.started % size != 0) return Next::start;
        if (b.in_collective && b.started && resolve_wave(b, (b.started - 1) / size)) continue;
        if (b.started < b.count) return Next::start;
        if (b.in_collective) {
            bool any = false;
            for (uint32_t wave = 0; wave * size < b.count && !any; ++wave) any = resolve_wave(b, wave);
            if (any) continue;
        }
        if (b.at_barrier) {
            release_barrier(b);
            continue;
        }
        return Next::leave;
    }
}

//: Makes a lane the one that runs; what is left is the switch to its stack.
HIPCPU_ALWAYS_INLINE Lane& resume(Block& b) {
    Lane& lane = b.lanes.data()[b.current];
    lane.wait = Wait::none;
    threadIdx = lane.index;
    hipcpu_frontier = Frontier::no;
    worker->current = lane.fiber;
    return lane;
}

//: Goes on with what `choose` says; returns when this lane's turn has come again.
__attribute__((noinline)) void yield_lane(Lane& from) {
    Worker& w = *worker;
    Block& b = *w.block;
    Fiber* from_fiber = from.fiber;
    switch (choose(b)) {
        case Next::resume: {
            Lane& to = resume(b);
            if (&to == &from) return;
            switch_fiber(*from_fiber, &from.top, *to.fiber, to.top);
            break;
        }
        case Next::start: {
            Fiber* to = fiber_for_next();
            w.current = to;
            switch_fiber(*from_fiber, &from.top, *to, to->top);
            break;
        }
        default:
            w.current = &w.main;
            switch_fiber(*from_fiber, &from.top, w.main, w.main.top);
    }
}

//: Stops the lane until its turn comes again; in the usual case the caller has still to switch.
HIPCPU_ALWAYS_INLINE Switch wait_lane(Worker& w, Block& b, Lane& from) {
#if !defined(HIPCPU_USES_UCONTEXT)
    if (__builtin_expect(b.sweep_next < b.sweep_end && w.plain, 1)) {
        b.current = b.sweep_next++;
        Lane& to = resume(b);
        return {&from.top, to.top};
    }
#else
    (void)w;
    (void)b;
#endif
    yield_lane(from);
    return {nullptr, nullptr};
}

//: Notes that the running lane waits, and where.
HIPCPU_ALWAYS_INLINE Lane& stop_lane(Worker& w, Block& b, Wait wait, int site) {
    if (hipcpu_frontier == Frontier::yes) {
        b.current = linear(threadIdx);
        b.started = b.current + 1;
        b.lanes[b.current].index = threadIdx;
    }
    Lane& lane = b.lanes.data()[b.current];
    lane.wait = wait;
    lane.site = site;
    lane.fiber = w.current;
    return lane;
}

//: Where each stack begins: runs lanes from the frontier on until none is left to start.
void begin_lanes() {
    if (sanitizers::address()) {
        const void* bottom;
        size_t size;
        __sanitizer_finish_switch_fiber(nullptr, &bottom, &size);
        if (!worker->main.bottom) {
            worker->main.bottom = bottom;
            worker->main.size = size;
        }
    }
    for (;;) {
        Worker& w = *worker;
        Block& b = *w.block;
        Fiber* self = w.current;
        threadIdx = spread(b.started);
        hipcpu_frontier = Frontier::yes;
        if (sanitizers::thread()) {
            // One lane a stack: the loop over the lanes ends after the first.
            b.current = b.started++;
            b.lanes[b.current].index = threadIdx;
            hipcpu_frontier = Frontier::no;
        }
        w.launch->request.run(w.launch->request.arguments);
        if (hipcpu_frontier == Frontier::yes) b.started = b.count;
        if (sanitizers::thread()) __tsan_release(&b.end_object);
        Fiber* to;
        void* top;
        switch (choose(b)) {
            case Next::resume:
                top = resume(b).top;
                to = w.current;
                break;
            case Next::start:
                if (!sanitizers::thread()) continue;  // the same stack serves the next lane
                to = fiber_for_next();
                top = to->top;
                break;
            default:
                to = &w.main;
                top = to->top;
        }
        give_fiber(self);
        w.current = to;
        switch_fiber(*self, &self->top, *to, top);
        __builtin_unreachable();
    }
}

//: Frees what an interrupted block has left behind.
void clean_up(Block& b) {
    for (Lane& lane : b.lanes) {
        if (lane.wait != Wait::none && lane.fiber) give_fiber(lane.fiber);
        lane.wait = Wait::none;
    }
    b.ready.clear();
    b.ready_head = 0;
    b.sweep_next = b.sweep_end = 0;
    b.at_barrier = b.at_grid = b.in_collective = 0;
    for (Pending& p : b.pending) p.waiting = 0;
    b.started = b.count;
    b.finished = true;
}

void reset(Block& b, const Launch& launch) {
    const uint32_t waves = (launch.threads + launch.request.wave - 1) / launch.request.wave;
    b.count = launch.threads;
    b.poisonings = 0;
    if (b.lanes.size() < launch.threads) b.lanes.resize(launch.threads);
    if (b.exchanges.size() < waves) b.exchanges.resize(waves);
    if (b.pending.size() < waves) b.pending.resize(waves);
    b.ready.reserve(launch.threads);
}

void begin_block(Block& b, uint64_t number) {
    const Launch& launch = *worker->launch;
    const dim3& grid = launch.request.grid;
    b.index = {static_cast<uint32_t>(number % grid.x), static_cast<uint32_t>(number / grid.x % grid.y),
               static_cast<uint32_t>(number / grid.x / grid.y)};
    b.started = 0;
    b.finished = false;
    if (sanitizers::thread()) {
        b.unmap();  // fresh memory: what another block did to this address is no race
        b.map(launch);
        // All made here, in the context of the launch, so that no lane comes before another one.
        for (uint32_t i = 0; i < b.count; ++i) {
            Fiber* fiber = make_fiber(i);
            if (!fiber) return;
            fiber->tsan = __tsan_create_fiber(0);
            prepare(*fiber, begin_lanes);
            b.lanes[i].fiber = fiber;
            b.lanes[i].barriers = b.lanes[i].collectives = 0;
        }
    }
    // Not before every block of a long launch: it would cost more than a small kernel does.
    if (b.poisonings < 8 || b.poisonings % 16 == 0 || sanitizers::thread()) b.poison_shared(launch);
    ++b.poisonings;
}

void end_block(Block& b) {
    if (!sanitizers::thread()) return;
    for (uint32_t i = 0; i < b.count; ++i) {
        __tsan_destroy_fiber(b.lanes[i].fiber->tsan);
        free_fiber(b.lanes[i].fiber);
        b.lanes[i].fiber = nullptr;
    }
}

//: Runs a block until it ends or all that is left of it waits for the grid.
void run_block(Block& b) {
    Worker& w = *worker;
    w.block = &b;
    show_block(b);
    Fiber* to;
    void* top;
    switch (choose(b)) {
        case Next::resume:
            top = resume(b).top;
            to = w.current;
            break;
        case Next::start:
            to = fiber_for_next();
            top = to->top;
            break;
        default:
            return;
    }
    if (sanitizers::thread()) w.main.tsan = __tsan_get_current_fiber();
    w.current = to;
    switch_fiber(w.main, &w.main.top, *to, top);
    if (!b.at_grid) b.finished = true;
}

void work(Launch& launch) {
    Worker& w = *worker;
    w.launch = &launch;
    w.plain = !sanitizers::address() && !sanitizers::thread();
    blockDim = launch.request.block;
    gridDim = launch.request.grid;
    if (launch.request.cooperative) {
        std::vector<Block> blocks(launch.blocks);
        for (uint64_t i = 0; i < launch.blocks; ++i) {
            reset(blocks[i], launch);
            blocks[i].map(launch);
            if (!blocks[i].memory) {
                launch.error.store(2);
                break;
            }
            begin_block(blocks[i], i);
        }
        while (!launch.error.load()) {
            uint64_t waiting = 0, finished = 0;
            for (Block& b : blocks) {
                if (!b.finished && !launch.error.load()) run_block(b);
                waiting += b.at_grid != 0;
                finished += b.finished;
            }
            if (!waiting || launch.error.load()) break;
            if (finished) {
                say("hipcpu: kernel %s: %llu of %llu blocks had ended when the others waited for the grid\n",
                    launch.request.name, static_cast<unsigned long long>(finished),
                    static_cast<unsigned long long>(launch.blocks));
                launch.error.store(error_launch_failure);
                break;
            }
            for (Block& b : blocks) {
                for (uint32_t i = 0; i < b.count; ++i) {
                    if (b.lanes[i].wait != Wait::grid) continue;
                    b.lanes[i].wait = Wait::ready;
                    b.ready.push_back(i);
                }
                b.at_grid = 0;
            }
        }
        for (Block& b : blocks) {
            clean_up(b);
            end_block(b);
            if (sanitizers::thread()) __tsan_acquire(&b.end_object);
            b.unmap();
        }
    } else {
        Block& b = w.own;
        reset(b, launch);
        b.map(launch);
        if (!b.memory) {
            launch.error.store(2);
            return;
        }
        while (!launch.error.load(std::memory_order_relaxed)) {
            uint64_t first = launch.next.fetch_add(launch.chunk);
            if (first >= launch.blocks) break;
            const uint64_t last = first + launch.chunk < launch.blocks ? first + launch.chunk : launch.blocks;
            for (; first < last && !launch.error.load(std::memory_order_relaxed); ++first) {
                begin_block(b, first);
                run_block(b);
                if (!b.idle() || launch.error.load(std::memory_order_relaxed)) clean_up(b);
                end_block(b);
            }
        }
        if (sanitizers::thread()) __tsan_acquire(&b.end_object);
    }
    w.launch = nullptr;
}

// ---- faults: an access behind a buffer, a division by zero, a trap

struct sigaction old_actions[32];
constexpr int faults[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL};

[[noreturn]] void leave_kernel() {
    Worker& w = *worker;
    if (w.current && !sanitizers::thread()) {
        // The stack of a lane that waits nowhere: nobody else would give it back.
        Block& b = *w.block;
        const bool known = hipcpu_frontier == Frontier::no && b.lanes[b.current].wait != Wait::none;
        if (!known) give_fiber(w.current);
    }
    if (sanitizers::address()) __asan_handle_no_return();
    Fiber* from = w.current;
    w.current = nullptr;
    switch_fiber(*from, &from->top, w.main, w.main.top);
    __builtin_unreachable();
}

void describe_fault(int signal_number, const void* address, char* text, size_t size) {
    Worker& w = *worker;
    if (signal_number == SIGFPE) {
        snprintf(text, size, "integer division by zero");
        return;
    }
    if (signal_number == SIGILL) {
        snprintf(text, size, "trap");
        return;
    }
    const auto* p = static_cast<const unsigned char*>(address);
    const Block& b = *w.block;
    if (w.current && p >= w.current->base && p < w.current->base + guard_size) {
        snprintf(text, size, "stack overflow (a thread has %zu KiB)", stack_size >> 10);
        return;
    }
    if (b.memory && p >= b.memory && p < b.memory + b.memory_size) {
        if (p < b.memory + b.static_size + page && p >= b.memory + b.static_size && b.dynamic > b.memory + b.static_size + page)
            snprintf(text, size, "access outside of shared memory");
        else
            snprintf(text, size, "out-of-bounds access at byte offset %td of %zu bytes of dynamic shared memory",
                     p - b.dynamic, w.launch->request.shared);
        return;
    }
    BufferPlace place;
    if (find_buffer(address, place)) {
        if (place.freed)
            snprintf(text, size, "access at byte offset %td of a %zu-byte buffer that has been freed", place.offset, place.size);
        else
            snprintf(text, size, "out-of-bounds access at byte offset %td of a %zu-byte buffer", place.offset, place.size);
        return;
    }
    snprintf(text, size, "illegal address %p", address);
}

//: Where a signal came, ", at MODULE+0xOFFSET": the line is found by whoever reads it.
struct At {
    char text[512];
    explicit At(void* context) {
        text[0] = 0;
        const auto& machine = static_cast<ucontext_t*>(context)->uc_mcontext;
#if defined(__x86_64__)
        const auto counter = static_cast<uintptr_t>(machine.gregs[REG_RIP]);
#elif defined(__aarch64__)
        const auto counter = static_cast<uintptr_t>(machine.pc);
#else
        const uintptr_t counter = 0;
        (void)machine;
#endif
        Dl_info where;
        if (!counter || !dladdr(reinterpret_cast<void*>(counter), &where) || !where.dli_fname) return;
        snprintf(text, sizeof text, ", at %s+0x%zx", where.dli_fname,
                 static_cast<size_t>(counter - reinterpret_cast<uintptr_t>(where.dli_fbase)));
    }
};

void on_fault(int signal_number, siginfo_t* info, void* context) {
    Worker* w = worker;
    if (!w || !w->launch || !w->current || w->current == &w->main) {
        const struct sigaction& old = old_actions[signal_number];
        if (old.sa_flags & SA_SIGINFO) {
            old.sa_sigaction(signal_number, info, context);
        } else if (old.sa_handler != SIG_DFL && old.sa_handler != SIG_IGN) {
            old.sa_handler(signal_number);
        } else {
            signal(signal_number, SIG_DFL);
        }
        return;
    }
    char what[256];
    describe_fault(signal_number, info->si_addr, what, sizeof what);
    say("hipcpu: kernel %s: %s, block (%u,%u,%u) thread (%u,%u,%u)%s\n", w->launch->request.name, what, blockIdx.x,
        blockIdx.y, blockIdx.z, threadIdx.x, threadIdx.y, threadIdx.z, At(context).text);
    const bool memory = signal_number == SIGSEGV || signal_number == SIGBUS;
    w->launch->error.store(memory ? error_illegal_address : error_launch_failure);
    leave_kernel();
}

void catch_faults() {
    struct sigaction action {};
    action.sa_sigaction = on_fault;
    // Not deferred: we leave the handler by a switch of stacks, not by its return.
    action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
    for (int number : faults) sigaction(number, &action, &old_actions[number]);
}

void restore_faults() {
    for (int number : faults) sigaction(number, &old_actions[number], nullptr);
}

// ---- the watchdog: a launch that does not end is told where it runs, and ended

//: Seconds; 0: no limit. Asked for each launch, so that a process can change it.
double launch_limit() {
    const char* wish = getenv("HIPIFY_PY_CPU_TIMEOUT");
    return wish ? atof(wish) : 0.0;
}

int stop_signal() { return SIGRTMIN + 5; }

//: In a thread that works for a launch which is over its time: leaves the kernel, if it is in one.
void on_stop(int, siginfo_t*, void* context) {
    Worker* w = worker;
    if (!w || !w->launch || !w->current || w->current == &w->main) return;
    if (first_time(*w->launch, said_timeout))
        say("hipcpu: kernel %s: did not end within %g s, block (%u,%u,%u) thread (%u,%u,%u)%s\n", w->launch->request.name,
            w->launch->limit, blockIdx.x, blockIdx.y, blockIdx.z, threadIdx.x, threadIdx.y, threadIdx.z, At(context).text);
    w->launch->error.store(error_launch_timeout);
    leave_kernel();
}

//: The threads that work for launches; each enters itself before it begins.
struct Watched {
    std::mutex mutex;
    std::vector<Worker*> workers;
    void enter(Worker& w) {
        std::lock_guard<std::mutex> lock(mutex);
        w.thread = pthread_self();
        workers.push_back(&w);
    }
    void leave(Worker& w) {
        std::lock_guard<std::mutex> lock(mutex);
        for (Worker*& each : workers)
            if (each == &w) {
                each = workers.back();
                workers.pop_back();
                return;
            }
    }
    void interrupt() {
        std::lock_guard<std::mutex> lock(mutex);
        for (Worker* w : workers) pthread_kill(w->thread, stop_signal());
    }
};
Watched* watched = new Watched;

//: Lives as long as a launch. Its thread asks again and again: a signal may come while the engine itself is at work.
class Watchdog {
public:
    explicit Watchdog(double limit) {
        if (limit <= 0) return;
        struct sigaction action {};
        action.sa_sigaction = on_stop;
        action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER | SA_RESTART;
        sigaction(stop_signal(), &action, nullptr);
        thread_ = std::thread([this, limit] {
            std::unique_lock<std::mutex> lock(mutex_);
            auto wait = std::chrono::duration<double>(limit);
            while (!end_.wait_for(lock, wait, [this] { return over_; })) {
                watched->interrupt();
                wait = std::chrono::duration<double>(0.05);
            }
        });
    }
    ~Watchdog() {
        if (!thread_.joinable()) return;
        {
            std::lock_guard<std::mutex> lock(mutex_);
            over_ = true;
        }
        end_.notify_all();
        thread_.join();
    }

private:
    std::mutex mutex_;
    std::condition_variable end_;
    bool over_ = false;
    std::thread thread_;
};

//: A sanitizer ends the process: say which thread of the GPU was at it.
void on_death() {
    Worker* w = worker;
    if (!w || !w->launch || !w->current || w->current == &w->main) return;
    char what[256] = "";
    if (__asan_report_present && __asan_report_present()) {
        const auto* p = static_cast<const unsigned char*>(__asan_get_report_address());
        const Block& b = *w->block;
        if (b.memory && p >= b.memory && p < b.memory + b.memory_size) snprintf(what, sizeof what, "access outside of shared memory");
        else describe_fault(SIGSEGV, p, what, sizeof what);
    }
    say("hipcpu: kernel %s: sanitizer%s%s, block (%u,%u,%u) thread (%u,%u,%u)\n", w->launch->request.name, *what ? ": " : "", what,
        blockIdx.x, blockIdx.y, blockIdx.z, threadIdx.x, threadIdx.y, threadIdx.z);
}

//: Runs a piece of a launch with a worker of this thread and a stack for its signals.
void work_as(Worker& w, Launch& launch) {
    if (w.alternate.empty()) w.alternate.resize(64 << 10);
    stack_t stack{}, old{};
    stack.ss_sp = w.alternate.data();
    stack.ss_size = w.alternate.size();
    sigaltstack(&stack, &old);
    Worker* before = worker;
    worker = &w;
    watched->enter(w);
    work(launch);
    watched->leave(w);
    worker = before;
    old.ss_flags &= SS_DISABLE;
    sigaltstack(&old, nullptr);
}

// ---- the threads that share a launch

struct Pool {
    std::mutex mutex;
    std::condition_variable wake, done;
    Launch* launch = nullptr;
    uint64_t serial = 0;
    unsigned wanted = 0, busy = 0, threads = 0;

    void loop(unsigned number) {
        Worker own;
        uint64_t seen = 0;
        std::unique_lock<std::mutex> lock(mutex);
        for (;;) {
            wake.wait(lock, [&] { return serial != seen; });
            seen = serial;
            if (number >= wanted || !launch) continue;
            Launch& mine = *launch;
            lock.unlock();
            work_as(own, mine);
            lock.lock();
            if (--busy == 0) done.notify_all();
        }
    }
    void begin(Launch& l, unsigned helpers) {
        std::lock_guard<std::mutex> lock(mutex);
        while (threads < helpers) std::thread(&Pool::loop, this, threads++).detach();
        launch = &l;
        wanted = busy = helpers;
        ++serial;
        wake.notify_all();
    }
    void finish() {
        std::unique_lock<std::mutex> lock(mutex);
        done.wait(lock, [&] { return busy == 0; });
        launch = nullptr;
    }
};

// Never destroyed: its threads sleep in it when the process ends.
Pool* pool = new Pool;
std::mutex* launch_mutex = new std::mutex;
Worker* caller = new Worker;

__attribute__((constructor)) void after_fork() {
    pthread_atfork(nullptr, nullptr, [] {
        pool = new Pool;  // a child has none of its parent's threads
        launch_mutex = new std::mutex;
        watched = new Watched;
    });
    if (__sanitizer_set_death_callback) __sanitizer_set_death_callback(on_death);
}

}  // namespace

unsigned worker_count() {
    static const unsigned count = [] {
        const char* wish = getenv("HIPIFY_PY_CPU_THREADS");
        if (wish && atoi(wish) > 0) return static_cast<unsigned>(atoi(wish));
        cpu_set_t set;
        CPU_ZERO(&set);
        if (sched_getaffinity(0, sizeof set, &set) == 0 && CPU_COUNT(&set) > 0) return static_cast<unsigned>(CPU_COUNT(&set));
        return 1u;
    }();
    return count;
}

int run_launch(const Request& request) {
    std::lock_guard<std::mutex> one_at_a_time(*launch_mutex);
    Launch launch;
    launch.request = request;
    launch.blocks = uint64_t{request.grid.x} * request.grid.y * request.grid.z;
    launch.threads = request.block.x * request.block.y * request.block.z;
    unsigned workers = worker_count();
    if (request.cooperative || sanitizers::thread()) workers = 1;
    if (launch.blocks < workers) workers = static_cast<unsigned>(launch.blocks);
    if (launch.blocks * launch.threads < 512) workers = 1;  // waking the others would take longer
    launch.chunk = launch.blocks / (workers * uint64_t{16}) + 1;
    if (workers == 1) launch.chunk = launch.blocks;
    catch_faults();
    Watchdog watchdog(launch.limit = launch_limit());
    if (workers > 1) pool->begin(launch, workers - 1);
    work_as(*caller, launch);
    if (workers > 1) pool->finish();
    restore_faults();
    fflush(stdout);
    return launch.error.load();
}

}  // namespace hipcpu

using namespace hipcpu;

#pragma GCC visibility push(default)
extern "C" {
    Switch hipcpu_barrier_begin(int kind, int predicate, int site) {
        Worker& w = *worker;
        Block& b = *w.block;
        Lane& lane = stop_lane(w, b, Wait::barrier, site);
        (void)kind;
        if (b.at_barrier++ == 0) {
            b.barrier_site = site;
            b.barrier_other = b.barrier_total = 0;
        } else if (__builtin_expect(site != b.barrier_site, 0)) {
            b.barrier_other = site;
        }
        b.barrier_total += predicate;
        if (__builtin_expect(!w.plain && sanitizers::thread(), 0)) {
            char* object = &b.barrier_object[lane.barriers++ & 1];
            __tsan_release(object);
            yield_lane(lane);
            __tsan_acquire(object);
            return {nullptr, nullptr};
        }
        return wait_lane(w, b, lane);
    }

    int hipcpu_barrier_answer(int kind) {
        const Block& b = *worker->block;
        const auto wanted = static_cast<BarrierKind>(kind);
        if (wanted == BarrierKind::count) return b.answer_total;
        return wanted == BarrierKind::any ? b.answer_total != 0 : b.answer_total == static_cast<int>(b.answer_lanes);
    }

    Switch hipcpu_collective_begin(int site, uint64_t mask, const void* value, size_t size, const Exchange** exchange) {
        Worker& w = *worker;
        Block& b = *w.block;
        Lane& lane = stop_lane(w, b, Wait::collective, site);
        const uint32_t wave_size = w.launch->request.wave;
        const uint32_t wave = b.current / wave_size, number = b.current % wave_size;
        lane.mask = wave_size == 64 ? mask : mask & ((uint64_t{1} << wave_size) - 1);
        Pending& pending = b.pending[wave];
        if (pending.waiting++ == 0) {
            pending.site = site;
            pending.mask = lane.mask;
            pending.size = static_cast<uint32_t>(size);
            pending.alike = true;
        } else if (site != pending.site || lane.mask != pending.mask) {
            pending.alike = false;
        }
        pending.sizes[number] = static_cast<uint32_t>(size);
        copy_value(pending.values[number], value, size);
        ++b.in_collective;
        *exchange = &b.exchanges[wave];
        if (__builtin_expect(!w.plain && sanitizers::thread(), 0)) {
            char* object = &b.wave_object[wave][lane.collectives++ & 1];
            __tsan_release(object);
            yield_lane(lane);
            __tsan_acquire(object);
            return {nullptr, nullptr};
        }
        return wait_lane(w, b, lane);
    }

    unsigned hipcpu_lane() { return current_lane() % worker->launch->request.wave; }
    unsigned hipcpu_wave_size() { return worker && worker->launch ? worker->launch->request.wave : 64; }

    void hipcpu_grid_barrier(int site) {
        if (!worker->launch->request.cooperative)
            hipcpu_fail(720, "grid synchronisation in a launch that is not cooperative");
        Worker& w = *worker;
        Block& b = *w.block;
        Lane& lane = stop_lane(w, b, Wait::grid, site);
        ++b.at_grid;
        if (__builtin_expect(sanitizers::thread(), 0)) {
            static char objects[2];
            char* object = &objects[lane.barriers++ & 1];
            __tsan_release(object);
            yield_lane(lane);
            __tsan_acquire(object);
        } else {
            yield_lane(lane);
        }
    }

    int hipcpu_is_cooperative() { return worker && worker->launch && worker->launch->request.cooperative; }
    uint32_t hipcpu_dynamic_size() { return worker && worker->launch ? static_cast<uint32_t>(worker->launch->request.shared) : 0; }

    void hipcpu_fail(int error, const char* text) {
        Worker* w = worker;
        if (!w || !w->launch) {
            fprintf(stderr, "hipcpu: %s\n", text);
            abort();
        }
        say("hipcpu: kernel %s: %s, block (%u,%u,%u) thread (%u,%u,%u)\n", w->launch->request.name, text, blockIdx.x,
            blockIdx.y, blockIdx.z, threadIdx.x, threadIdx.y, threadIdx.z);
        w->launch->error.store(error);
        leave_kernel();
    }

    // Modules are linked with --wrap: an assertion of a kernel ends the launch, not the process.
    [[noreturn]] void __wrap___assert_fail(const char* expression, const char* file, unsigned line, const char* function) {
        char text[768];
        snprintf(text, sizeof text, "%s:%u: %s: device-side assertion `%s' failed", file, line, function, expression);
        hipcpu_fail(710, text);
    }
    [[noreturn]] void __wrap_abort() { hipcpu_fail(error_launch_failure, "abort()"); }
}
#pragma GCC visibility pop
