#include "fiber.h"

#include <sys/mman.h>

#include "sanitizers.h"

#if !defined(HIPCPU_USES_UCONTEXT)
// The System V ABI lets a function destroy all registers but these six and the stack pointer; the control words of the
// floating-point units are the same for all lanes of a launch.
asm(R"(
.text
.p2align 4
.globl hipcpu_switch
.hidden hipcpu_switch
.type hipcpu_switch,@function
hipcpu_switch:
    .cfi_startproc
    pushq %rbp
    pushq %rbx
    pushq %r12
    pushq %r13
    pushq %r14
    pushq %r15
    movq %rsp, (%rdi)
    movq %rsi, %rsp
    popq %r15
    popq %r14
    popq %r13
    popq %r12
    popq %rbx
    popq %rbp
    ret
    .cfi_endproc
.size hipcpu_switch,.-hipcpu_switch
)");
extern "C" void hipcpu_switch(void** save, void* to) __attribute__((visibility("hidden")));
#endif

namespace hipcpu {

Fiber* make_fiber(uint32_t number) {
    void* base = mmap(nullptr, stack_size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (base == MAP_FAILED) return nullptr;
    mprotect(base, guard_size, PROT_NONE);
    auto* fiber = new Fiber;
    fiber->base = static_cast<unsigned char*>(base);
    fiber->size = stack_size;
    // Stacks that all begin at the same place of a page would fight for the same few lines of the cache.
    fiber->colour = (number % 61) * 320;
    return fiber;
}

void free_fiber(Fiber* fiber) {
    munmap(fiber->base, fiber->size);
    delete fiber;
}

#if defined(HIPCPU_USES_UCONTEXT)

void prepare(Fiber& fiber, void (*entry)()) {
    getcontext(&fiber.context);
    fiber.context.uc_stack.ss_sp = fiber.base + guard_size;
    fiber.context.uc_stack.ss_size = fiber.size - guard_size - fiber.colour;
    fiber.context.uc_link = nullptr;
    makecontext(&fiber.context, entry, 0);
}

static void jump(Fiber& from, Fiber& to) { swapcontext(&from.context, &to.context); }

#else

void prepare(Fiber& fiber, void (*entry)()) {
    auto end = reinterpret_cast<uintptr_t>(fiber.base + fiber.size - fiber.colour - 64) & ~uintptr_t{15};
    auto* slot = reinterpret_cast<void**>(end);
    *--slot = nullptr;  // where `entry` would return to: it never does
    *--slot = reinterpret_cast<void*>(entry);
    for (int i = 0; i < 6; ++i) *--slot = nullptr;
    fiber.top = slot;
}

static void jump(Fiber& from, Fiber& to) { hipcpu_switch(&from.top, to.top); }

#endif

void switch_fiber(Fiber& from, Fiber& to) {
    if (__builtin_expect(sanitizers::address(), 0)) {
        const void* bottom = to.base ? to.base + guard_size : to.bottom;
        __sanitizer_start_switch_fiber(&from.fake_stack, bottom, to.base ? to.size - guard_size : to.size);
        jump(from, to);
        __sanitizer_finish_switch_fiber(from.fake_stack, nullptr, nullptr);
        return;
    }
    if (__builtin_expect(sanitizers::thread(), 0)) __tsan_switch_to_fiber(to.tsan, 1);
    jump(from, to);
}

}  // namespace hipcpu
