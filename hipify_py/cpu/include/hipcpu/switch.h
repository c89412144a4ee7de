// The switch from one stack to another in the middle of a kernel.
//
// A lane that waits at a barrier goes on where the kernel stands: no function returns on another stack than it was called
// on. The processor predicts returns by the calls before them and would be wrong each time; a jump it predicts well.
#pragma once

namespace hipcpu {

//: Where to keep the stack pointer, and that of the lane which comes next; null: the engine has switched itself.
struct Switch {
    void** save;
    void* to;
};

#if defined(__x86_64__)
//: On a stack that waits lie the place where to go on and the frame pointer; all other registers are given up. The code
//: around it must have no red zone, see build.py.
__attribute__((always_inline)) inline void switch_here(void** save, void* to) {
    asm volatile(
        "pushq %%rbp\n\t"
        "leaq 1f(%%rip), %%rax\n\t"
        "pushq %%rax\n\t"
        "movq %%rsp, (%0)\n\t"
        "movq %1, %%rsp\n\t"
        "popq %%rax\n\t"
        "jmp *%%rax\n"
        "1:\n\t"
        "popq %%rbp\n\t"
        : "+D"(save), "+S"(to)
        :
        : "rax", "rbx", "rcx", "rdx", "r8", "r9", "r10", "r11", "r12", "r13", "r14", "r15", "memory", "cc", "xmm0", "xmm1",
          "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "xmm8", "xmm9", "xmm10", "xmm11", "xmm12", "xmm13", "xmm14", "xmm15");
}
#else
inline void switch_here(void**, void*) {}  // the engine always switches itself
#endif

}  // namespace hipcpu
