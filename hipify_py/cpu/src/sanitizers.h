// AddressSanitizer and ThreadSanitizer, where the process has loaded one of them.
//
// The runtime library is never instrumented itself. The functions are weak: present when the sanitizer's library was
// preloaded for an instrumented module, absent otherwise.
#pragma once

#include <cstddef>

extern "C" {
__attribute__((weak)) void __sanitizer_start_switch_fiber(void**, const void*, size_t);
__attribute__((weak)) void __sanitizer_finish_switch_fiber(void*, const void**, size_t*);
__attribute__((weak)) void __asan_poison_memory_region(const volatile void*, size_t);
__attribute__((weak)) void __asan_unpoison_memory_region(const volatile void*, size_t);
__attribute__((weak)) void __asan_handle_no_return();
__attribute__((weak)) void* __asan_get_report_address();
__attribute__((weak)) int __asan_report_present();
__attribute__((weak)) void __sanitizer_set_death_callback(void (*)());
__attribute__((weak)) void* __tsan_get_current_fiber();
__attribute__((weak)) void* __tsan_create_fiber(unsigned);
__attribute__((weak)) void __tsan_destroy_fiber(void*);
__attribute__((weak)) void __tsan_switch_to_fiber(void*, unsigned);
__attribute__((weak)) void __tsan_acquire(void*);
__attribute__((weak)) void __tsan_release(void*);
}

namespace hipcpu::sanitizers {

inline bool address() { return __sanitizer_start_switch_fiber != nullptr && __asan_poison_memory_region != nullptr; }
inline bool thread() { return __tsan_switch_to_fiber != nullptr; }

}  // namespace hipcpu::sanitizers
