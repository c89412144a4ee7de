// Stacks that take turns in one operating-system thread.
#pragma once

#include <cstddef>
#include <cstdint>

#if !defined(__x86_64__) || defined(HIPCPU_UCONTEXT)
#define HIPCPU_USES_UCONTEXT 1
#include <ucontext.h>
#endif

#include "hipcpu/switch.h"

#if !defined(HIPCPU_USES_UCONTEXT)
extern "C" void hipcpu_switch(void** save, void* to) __attribute__((visibility("hidden")));
#endif

namespace hipcpu {

//: One stack with a guard page at its low end, and where it stopped.
struct Fiber {
    void* top = nullptr;        // the saved stack pointer
    unsigned char* base = nullptr;  // of the mapping; the guard page
    size_t size = 0;
    uint32_t colour = 0;        // how far below the end of the mapping the stack begins
    Fiber* free_next = nullptr;
    void* fake_stack = nullptr;  // AddressSanitizer's
    void* tsan = nullptr;        // ThreadSanitizer's
    const void* bottom = nullptr;  // of a stack that we did not make, for AddressSanitizer
#if defined(HIPCPU_USES_UCONTEXT)
    ucontext_t context;
#endif
};

constexpr size_t stack_size = 256 << 10;
//: Bytes of a guard page: of the largest pages that the machine's kernels are built for.
#if defined(__aarch64__)
constexpr size_t guard_size = 65536;
#else
constexpr size_t guard_size = 4096;
#endif

//: Makes a stack; `number` decides its colour. Null when there is no memory.
Fiber* make_fiber(uint32_t number);
void free_fiber(Fiber* fiber);

//: Lets the next switch to this fiber begin at `entry`, which must not return.
void prepare(Fiber& fiber, void (*entry)());

//: Stops here and goes on there. The stack pointers are passed apart: that of a lane lies beside what else it needs.
void switch_fiber(Fiber& from, void** save, Fiber& to, void* top);

}  // namespace hipcpu
