#include "fiber.h"

#include <sys/mman.h>

#include "sanitizers.h"

#if !defined(HIPCPU_USES_UCONTEXT)
// On a stack that waits lies where to go on; what else belongs to it, the code there knows.
asm(R"(
.text
.p2align 4
.globl hipcpu_switch
.hidden hipcpu_switch
.type hipcpu_switch,@function
hipcpu_switch:
    pushq %rbx
    pushq %r12
    pushq %r13
    pushq %r14
    pushq %r15
    pushq %rbp
    leaq 1f(%rip), %rax
    pushq %rax
    movq %rsp, (%rdi)
    movq %rsi, %rsp
    popq %rax
    jmp *%rax
1:
    popq %rbp
    popq %r15
    popq %r14
    popq %r13
    popq %r12
    popq %rbx
    ret
.size hipcpu_switch,.-hipcpu_switch
)");
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

static void jump(Fiber& from, void**, Fiber& to, void*) { swapcontext(&from.context, &to.context); }

#else

void prepare(Fiber& fiber, void (*entry)()) {
    auto end = reinterpret_cast<uintptr_t>(fiber.base + fiber.size - fiber.colour - 64) & ~uintptr_t{15};
    auto* slot = reinterpret_cast<void**>(end);
    *--slot = nullptr;  // where `entry` would return to: it never does
    *--slot = reinterpret_cast<void*>(entry);
    fiber.top = slot;
}

static void jump(Fiber&, void** save, Fiber&, void* top) { hipcpu_switch(save, top); }

#endif

void switch_fiber(Fiber& from, void** save, Fiber& to, void* top) {
    if (__builtin_expect(sanitizers::address(), 0)) {
        const void* bottom = to.base ? to.base + guard_size : to.bottom;
        __sanitizer_start_switch_fiber(&from.fake_stack, bottom, to.base ? to.size - guard_size : to.size);
        jump(from, save, to, top);
        __sanitizer_finish_switch_fiber(from.fake_stack, nullptr, nullptr);
        return;
    }
    if (__builtin_expect(sanitizers::thread(), 0)) __tsan_switch_to_fiber(to.tsan, 1);
    jump(from, save, to, top);
}

}  // namespace hipcpu
