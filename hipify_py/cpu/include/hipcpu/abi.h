// What a compiled module and the runtime library share: the built-in variables of a GPU thread, and the engine's calls.
//
// The engine itself is compiled once, into libamdhip64.so. A module holds only the kernels and, for each, a loop over
// the lanes ("Runner") that the engine starts on a stack of its own. Everything here is plain data and C functions, so
// that modules of g++, clang++ and zig work with a runtime of any of them.
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "hip/hip_vector_types.h"
#include "hipcpu/switch.h"

// The variables live in the runtime library, which every module names as needed: their place relative to the thread
// pointer is known when the module is loaded, so that an access costs one load of that place.
#define HIPCPU_THREAD __thread __attribute__((tls_model("initial-exec")))

#pragma GCC visibility push(default)
extern "C" {
    extern HIPCPU_THREAD uint3 threadIdx;
    extern HIPCPU_THREAD uint3 blockIdx;
    extern HIPCPU_THREAD dim3 blockDim;
    extern HIPCPU_THREAD dim3 gridDim;
}
#pragma GCC visibility pop

namespace hipcpu {

//: A type of its own, so that no store of a kernel can alias it: the loop over the lanes keeps it in a register.
enum class Frontier : uint32_t { yes, no };

//: What the lanes of a wave gave to a collective, and which of them took part.
struct Exchange {
    static constexpr size_t value_size = 32;
    uint64_t group;                                    // the lanes that took part
    uint64_t present;                                  // the lanes that the wave has
    alignas(16) unsigned char values[64][value_size];  // by lane
};

//: How a lane waits at a barrier; `count`, `all` and `any` are the forms of __syncthreads that answer.
enum class BarrierKind : int { plain, count, all, any };

//: Runs lanes, from threadIdx on, until the block has no more or one of them had to wait.
using Runner = void (*)(void** arguments);

//: A kernel of a module. `next` makes the list of a module.
struct Kernel {
    const char* name;
    const void* address;
    Runner run;
    int count;                // of parameters
    const uint32_t* sizes;    // of each parameter
    const uint32_t* offsets;  // of each parameter in a packed buffer of arguments
    uint32_t total;           // of that buffer
    Kernel* next;
};

//: A variable of a module: __device__, __constant__ or __managed__.
struct Symbol {
    const char* name;
    void* address;
    size_t size;
    Symbol* next;
};

//: A module's lists; each module has one, as `hipcpu_module`.
struct Module {
    uint32_t abi;
    uint32_t wave;
    Kernel* kernels;
    Symbol* symbols;
    uint32_t shared_size;   // of all static shared memory of the module, red zones included
    uint32_t slot_count;
    struct Slot {
        uint32_t offset, size;
    } slots[256];           // where static shared variables lie: the sanitizer poisons what lies between
};

constexpr uint32_t abi_version = 1;

}  // namespace hipcpu

#pragma GCC visibility push(default)
extern "C" {
    extern HIPCPU_THREAD hipcpu::Frontier hipcpu_frontier;
    extern HIPCPU_THREAD unsigned char* hipcpu_shared;   // static shared memory of the running block
    extern HIPCPU_THREAD unsigned char* hipcpu_dynamic;  // dynamic shared memory of the running block

    //: A module makes itself known when it is loaded, by hipModuleLoad or as a library of the host.
    void hipcpu_register(const hipcpu::Module* module);
    void hipcpu_unregister(const hipcpu::Module* module);

    //: Notes that the lane waits; what follows is the switch, and then hipcpu_barrier_answer where one is asked for.
    hipcpu::Switch hipcpu_barrier_begin(int kind, int predicate, int site);
    int hipcpu_barrier_answer(int kind);
    //: Gives a value, waits for the other lanes. mask 0: whoever is at this site (the forms without a mask).
    hipcpu::Switch hipcpu_collective_begin(int site, uint64_t mask, const void* value, size_t size,
                                           const hipcpu::Exchange** exchange);
    //: The lane that runs, in its wave.
    unsigned hipcpu_lane();
    unsigned hipcpu_wave_size();
    void hipcpu_grid_barrier(int site);
    int hipcpu_is_cooperative();
    uint32_t hipcpu_dynamic_size();
    //: Ends the launch from inside a kernel, with this hipError_t; the text goes to stderr.
    [[noreturn]] void hipcpu_fail(int error, const char* text);
    //: Launches a kernel from host code: by the table if the address is known, else by this runner.
    void hipcpu_launch(const void* kernel, hipcpu::Runner runner, dim3 grid, dim3 block, void** arguments, size_t shared,
                       void* stream, const hipcpu::Module* module);
}
#pragma GCC visibility pop

inline __attribute__((always_inline)) int hipcpu_barrier(int kind, int predicate, int site) {
    const hipcpu::Switch s = hipcpu_barrier_begin(kind, predicate, site);
    if (__builtin_expect(s.to != nullptr, 1)) hipcpu::switch_here(s.save, s.to);
    return kind ? hipcpu_barrier_answer(kind) : 0;
}

inline __attribute__((always_inline)) const hipcpu::Exchange* hipcpu_collective(int site, uint64_t mask, const void* value,
                                                                                size_t size) {
    const hipcpu::Exchange* exchange;
    const hipcpu::Switch s = hipcpu_collective_begin(site, mask, value, size, &exchange);
    if (__builtin_expect(s.to != nullptr, 1)) hipcpu::switch_here(s.save, s.to);
    return exchange;
}
