// What a compiled module consists of beside its kernels: the lists of them, the loop over the lanes, shared memory.
#pragma once

#include <string.h>

#include <tuple>
#include <type_traits>
#include <utility>

#include "hipcpu/abi.h"

// The size of a wave is fixed when a module is built: loops over it unroll as they do in a GPU's compiler.
#ifndef HIPCPU_WAVE
#define HIPCPU_WAVE 64
#endif

#if defined(__SANITIZE_ADDRESS__)
#define HIPCPU_RED_ZONE 128u
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define HIPCPU_RED_ZONE 128u
#endif
#endif
#ifndef HIPCPU_RED_ZONE
#define HIPCPU_RED_ZONE 0u
#endif

#if defined(__SANITIZE_THREAD__)
#define HIPCPU_TSAN 1
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define HIPCPU_TSAN 1
#endif
#endif
#ifdef HIPCPU_TSAN
#define HIPCPU_NO_TSAN __attribute__((no_sanitize("thread")))
#else
#define HIPCPU_NO_TSAN
#endif

#define HIPCPU_INLINE inline __attribute__((always_inline))

extern "C" {
__attribute__((visibility("default"), weak)) hipcpu::Module hipcpu_module = {
    hipcpu::abi_version, HIPCPU_WAVE, nullptr, nullptr, 0, 0, {}};
}

namespace hipcpu {

// ---- kernels

//: The next lane of this stack; false when there is none, or when other stacks have gone on meanwhile.
HIPCPU_INLINE bool next_lane(unsigned& x) {
    if (__builtin_expect(hipcpu_frontier == Frontier::no, 0)) return false;
    if (__builtin_expect(++x < blockDim.x, 1)) return true;
    x = 0;
    if (++threadIdx.y < blockDim.y) return true;
    threadIdx.y = 0;
    return ++threadIdx.z < blockDim.z;
}

template <class... P>
struct Parameters {
    static constexpr size_t count = sizeof...(P);
    using Values = std::tuple<std::decay_t<P>...>;

    struct Layout {
        uint32_t sizes[count + 1]{};
        uint32_t offsets[count + 1]{};
        uint32_t total = 0;
        constexpr Layout() {
            const size_t size[] = {sizeof(std::decay_t<P>)..., 0};
            const size_t align[] = {alignof(std::decay_t<P>)..., 1};
            size_t at = 0;
            for (size_t i = 0; i < count; ++i) {
                at = (at + align[i] - 1) / align[i] * align[i];
                sizes[i] = static_cast<uint32_t>(size[i]);
                offsets[i] = static_cast<uint32_t>(at);
                at += size[i];
            }
            total = static_cast<uint32_t>(at);
        }
    };
    static constexpr Layout layout{};

    template <class F, size_t... I>
    static HIPCPU_INLINE void loop(F kernel, void** arguments, std::index_sequence<I...>) {
        (void)arguments;
        const Values values(*static_cast<const std::decay_t<P>*>(arguments[I])...);
#ifdef HIPCPU_TSAN
        // One lane a stack; and no write of the built-in variables that the lanes share, here where it would be seen.
        kernel(std::get<I>(values)...);
#else
        unsigned x = threadIdx.x;
        do {
            threadIdx.x = x;
            // Stored now, and not once after the loop: a fault tells the thread by it.
            asm volatile("" : : "m"(threadIdx.x));
            kernel(std::get<I>(values)...);
        } while (next_lane(x));
#endif
    }
};

//: The loop over the lanes of one kernel. The kernel is a template argument, so that its body can stand in the loop.
template <auto kernel>
struct Entry;

template <class... P, void (*kernel)(P...)>
struct Entry<kernel> {
    static void run(void** arguments) {
        Parameters<P...>::loop(kernel, arguments, std::index_sequence_for<P...>{});
    }
    explicit Entry(const char* name) {
        using Layout = Parameters<P...>;
        own = {name, reinterpret_cast<const void*>(kernel), run, static_cast<int>(Layout::count), Layout::layout.sizes,
               Layout::layout.offsets, Layout::layout.total, hipcpu_module.kernels};
        hipcpu_module.kernels = &own;
    }
    hipcpu::Kernel own;
};

template <class... P, void (*kernel)(P...) noexcept>
struct Entry<kernel> {
    static void run(void** arguments) {
        Parameters<P...>::loop(kernel, arguments, std::index_sequence_for<P...>{});
    }
    explicit Entry(const char* name) {
        using Layout = Parameters<P...>;
        own = {name, reinterpret_cast<const void*>(kernel), run, static_cast<int>(Layout::count), Layout::layout.sizes,
               Layout::layout.offsets, Layout::layout.total, hipcpu_module.kernels};
        hipcpu_module.kernels = &own;
    }
    hipcpu::Kernel own;
};

struct SymbolEntry {
    SymbolEntry(const char* name, void* address, size_t size) : own{name, address, size, hipcpu_module.symbols} {
        hipcpu_module.symbols = &own;
    }
    Symbol own;
};

#define HIPCPU_JOIN2(a, b) a##b
#define HIPCPU_JOIN(a, b) HIPCPU_JOIN2(a, b)
#define HIPCPU_KERNEL(name, ...) \
    static ::hipcpu::Entry<&__VA_ARGS__> HIPCPU_JOIN(hipcpu_kernel_, __COUNTER__){name};
#define HIPCPU_SYMBOL(name)                                                       \
    static ::hipcpu::SymbolEntry HIPCPU_JOIN(hipcpu_symbol_, __COUNTER__){        \
        #name, const_cast<void*>(static_cast<const volatile void*>(&name)), sizeof(name)};

//: Its lists fill while the rest of the module's variables are initialized: nobody reads them before.
struct Registration {
    Registration() { hipcpu_register(&hipcpu_module); }
    ~Registration() { hipcpu_unregister(&hipcpu_module); }
};
static Registration registration;

// ---- launches from host code

//: What a launch from host code calls: the kernel comes as the last argument, a pointer.
template <class... P>
void run_pointer(void** arguments) {
    auto* kernel = *static_cast<void (**)(P...)>(arguments[sizeof...(P)]);
    Parameters<P...>::loop(kernel, arguments, std::index_sequence_for<P...>{});
}

//: As the call of a function converts: NULL, a number by the time that it comes here, is a pointer too.
template <class T, class A>
HIPCPU_INLINE T convert(A&& value) {
    if constexpr (std::is_pointer_v<T> && std::is_integral_v<std::decay_t<A>>) return reinterpret_cast<T>(static_cast<uintptr_t>(value));
    else return static_cast<T>(std::forward<A>(value));
}

template <class... P>
struct Configured {
    void (*kernel)(P...);
    dim3 grid, block;
    size_t shared;
    void* stream;
    template <class... A>
    void operator()(A&&... a) const {
        std::tuple<std::decay_t<P>...> values(convert<std::decay_t<P>>(std::forward<A>(a))...);
        call(values, std::index_sequence_for<P...>{});
    }
    template <class V, size_t... I>
    void call(V& values, std::index_sequence<I...>) const {
        auto* pointer = kernel;
        void* arguments[] = {const_cast<void*>(static_cast<const volatile void*>(&std::get<I>(values)))..., &pointer};
        hipcpu_launch(reinterpret_cast<const void*>(kernel), run_pointer<P...>, grid, block, arguments, shared, stream,
                      &hipcpu_module);
    }
};

template <class... P>
Configured<P...> configure(void (*kernel)(P...), dim3 grid, dim3 block, size_t shared = 0, void* stream = nullptr) {
    return {kernel, grid, block, shared, stream};
}

// ---- shared memory

inline uint32_t reserve_shared(size_t size) {
    Module& m = hipcpu_module;
    const uint32_t offset = m.shared_size + HIPCPU_RED_ZONE;
    if (m.slot_count < 256) m.slots[m.slot_count++] = {offset, static_cast<uint32_t>(size)};
    m.shared_size = offset + static_cast<uint32_t>((size + 127) / 128 * 128) + HIPCPU_RED_ZONE;
    return offset;
}

//: A place in the block's memory for each __shared__ variable; the tag makes instances of a template differ.
template <class T, class Tag>
struct SharedSlot {
    static inline const uint32_t offset = reserve_shared(sizeof(T));
};

template <class T, class Tag>
HIPCPU_INLINE T& shared_variable(Tag) {
    return *reinterpret_cast<T*>(hipcpu_shared + SharedSlot<T, Tag>::offset);
}

template <class T>
HIPCPU_INLINE T* dynamic_shared() {
    return reinterpret_cast<T*>(hipcpu_dynamic);
}

}  // namespace hipcpu
