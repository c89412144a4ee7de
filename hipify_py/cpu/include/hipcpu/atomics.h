// Atomic operations, relaxed as HIP's are; those of a block or the whole system are the same here.
#pragma once

namespace hipcpu {

//: Arguments convert to the type of the memory, as overloads would have it: atomicAdd(&float, 1).
template <class T>
using Same = std::remove_volatile_t<std::common_type_t<T>>;

template <class T, class F>
HIPCPU_INLINE T update(T* p, F next) {
    T seen, wanted;
    __atomic_load(p, &seen, __ATOMIC_RELAXED);
    do wanted = next(seen);
    while (!__atomic_compare_exchange(p, &seen, &wanted, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED));
    return seen;
}

}  // namespace hipcpu

template <class T>
HIPCPU_INLINE T atomicAdd(T* p, hipcpu::Same<T> v) {
    if constexpr (std::is_integral_v<T>) return __atomic_fetch_add(p, v, __ATOMIC_RELAXED);
    else return hipcpu::update(p, [v](T seen) { return seen + v; });
}
template <class T>
HIPCPU_INLINE T atomicSub(T* p, hipcpu::Same<T> v) {
    if constexpr (std::is_integral_v<T>) return __atomic_fetch_sub(p, v, __ATOMIC_RELAXED);
    else return hipcpu::update(p, [v](T seen) { return seen - v; });
}
template <class T>
HIPCPU_INLINE T atomicExch(T* p, hipcpu::Same<T> v) {
    T seen;
    __atomic_exchange(p, &v, &seen, __ATOMIC_RELAXED);
    return seen;
}
template <class T>
HIPCPU_INLINE T atomicCAS(T* p, hipcpu::Same<T> expected, hipcpu::Same<T> v) {
    __atomic_compare_exchange(p, &expected, &v, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
    return expected;
}
template <class T>
HIPCPU_INLINE T atomicMin(T* p, hipcpu::Same<T> v) {
    return hipcpu::update(p, [v](T seen) { return v < seen ? v : seen; });
}
template <class T>
HIPCPU_INLINE T atomicMax(T* p, hipcpu::Same<T> v) {
    return hipcpu::update(p, [v](T seen) { return seen < v ? v : seen; });
}
template <class T>
HIPCPU_INLINE T atomicAnd(T* p, hipcpu::Same<T> v) { return __atomic_fetch_and(p, v, __ATOMIC_RELAXED); }
template <class T>
HIPCPU_INLINE T atomicOr(T* p, hipcpu::Same<T> v) { return __atomic_fetch_or(p, v, __ATOMIC_RELAXED); }
template <class T>
HIPCPU_INLINE T atomicXor(T* p, hipcpu::Same<T> v) { return __atomic_fetch_xor(p, v, __ATOMIC_RELAXED); }
template <class T>
HIPCPU_INLINE T atomicInc(T* p, hipcpu::Same<T> limit) {
    return hipcpu::update(p, [limit](T seen) { return seen >= limit ? T(0) : T(seen + 1); });
}
template <class T>
HIPCPU_INLINE T atomicDec(T* p, hipcpu::Same<T> limit) {
    return hipcpu::update(p, [limit](T seen) { return seen == 0 || seen > limit ? T(limit) : T(seen - 1); });
}

#define HIPCPU_SCOPED(name)                                                                                          \
    template <class T>                                                                                               \
    HIPCPU_INLINE T name##_block(T* p, hipcpu::Same<T> v) { return name(p, v); }                                     \
    template <class T>                                                                                               \
    HIPCPU_INLINE T name##_system(T* p, hipcpu::Same<T> v) { return name(p, v); }
HIPCPU_SCOPED(atomicAdd)
HIPCPU_SCOPED(atomicSub)
HIPCPU_SCOPED(atomicExch)
HIPCPU_SCOPED(atomicMin)
HIPCPU_SCOPED(atomicMax)
HIPCPU_SCOPED(atomicAnd)
HIPCPU_SCOPED(atomicOr)
HIPCPU_SCOPED(atomicXor)
template <class T>
HIPCPU_INLINE T atomicCAS_block(T* p, hipcpu::Same<T> e, hipcpu::Same<T> v) { return atomicCAS(p, e, v); }
template <class T>
HIPCPU_INLINE T atomicCAS_system(T* p, hipcpu::Same<T> e, hipcpu::Same<T> v) { return atomicCAS(p, e, v); }
template <class T>
HIPCPU_INLINE void atomicAddNoRet(T* p, hipcpu::Same<T> v) { atomicAdd(p, v); }
template <class T>
HIPCPU_INLINE T unsafeAtomicAdd(T* p, hipcpu::Same<T> v) { return atomicAdd(p, v); }
template <class T>
HIPCPU_INLINE T safeAtomicAdd(T* p, hipcpu::Same<T> v) { return atomicAdd(p, v); }

// Clang's atomics with an order and a scope: every scope is the whole machine here.
#define __HIP_MEMORY_SCOPE_SINGLETHREAD 1
#define __HIP_MEMORY_SCOPE_WAVEFRONT 2
#define __HIP_MEMORY_SCOPE_WORKGROUP 3
#define __HIP_MEMORY_SCOPE_AGENT 4
#define __HIP_MEMORY_SCOPE_SYSTEM 5

namespace hipcpu {

template <class T>
HIPCPU_INLINE std::remove_const_t<T> scoped_load(T* p) {
    std::remove_const_t<T> seen;
    __atomic_load(p, &seen, __ATOMIC_SEQ_CST);
    return seen;
}
template <class T>
HIPCPU_INLINE void scoped_store(T* p, Same<T> v) { __atomic_store(p, &v, __ATOMIC_SEQ_CST); }
template <class T>
HIPCPU_INLINE bool scoped_compare_exchange(T* p, T* expected, Same<T> v) {
    return __atomic_compare_exchange(p, expected, &v, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
}
template <class T>
HIPCPU_INLINE T scoped(T seen) {
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
    return seen;
}

}  // namespace hipcpu

// The order is the strictest: a kernel that is right with a weaker one is right with this.
#define __hip_atomic_load(p, order, scope) ::hipcpu::scoped_load(p)
#define __hip_atomic_store(p, value, order, scope) ::hipcpu::scoped_store(p, value)
#define __hip_atomic_exchange(p, value, order, scope) ::hipcpu::scoped(atomicExch(p, value))
#define __hip_atomic_compare_exchange_strong(p, expected, value, success, failure, scope) \
    ::hipcpu::scoped_compare_exchange(p, expected, value)
#define __hip_atomic_compare_exchange_weak(p, expected, value, success, failure, scope) \
    ::hipcpu::scoped_compare_exchange(p, expected, value)
#define __hip_atomic_fetch_add(p, value, order, scope) ::hipcpu::scoped(atomicAdd(p, value))
#define __hip_atomic_fetch_sub(p, value, order, scope) ::hipcpu::scoped(atomicSub(p, value))
#define __hip_atomic_fetch_min(p, value, order, scope) ::hipcpu::scoped(atomicMin(p, value))
#define __hip_atomic_fetch_max(p, value, order, scope) ::hipcpu::scoped(atomicMax(p, value))
#define __hip_atomic_fetch_and(p, value, order, scope) ::hipcpu::scoped(atomicAnd(p, value))
#define __hip_atomic_fetch_or(p, value, order, scope) ::hipcpu::scoped(atomicOr(p, value))
#define __hip_atomic_fetch_xor(p, value, order, scope) ::hipcpu::scoped(atomicXor(p, value))
