// The names that are there only to answer: one line on stderr, hipErrorNotSupported.
//
// They are declared without parameters: in the calling conventions of x86-64 and aarch64 the caller owns its arguments.
namespace hipcpu {
int unsupported(const char* name);
}

#pragma GCC visibility push(default)
extern "C" {
#define UNSUPPORTED(name) \
    int name() { return hipcpu::unsupported(#name); }
#if defined(__x86_64__)
#define ALIAS(name, other) asm(".text\n.globl " #name "\n.type " #name ",@function\n" #name ": jmp " #other "@PLT\n");
#elif defined(__aarch64__)
#define ALIAS(name, other) asm(".text\n.globl " #name "\n.type " #name ",@function\n" #name ": b " #other "\n");
#else
#define ALIAS(name, other) UNSUPPORTED(name)
#endif
#include "unsupported.def"
}
#pragma GCC visibility pop
