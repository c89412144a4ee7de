// The functions of device code that the C library has under no, or another, name.
#pragma once

#define HIPCPU_FN static inline

// <math.h> brings sin, sqrt .. and their overloads for float into the global namespace.
template <class A, class B, class = std::enable_if_t<std::is_arithmetic_v<A> && std::is_arithmetic_v<B>>>
HIPCPU_FN constexpr std::common_type_t<A, B> min(A a, B b) {
    using T = std::common_type_t<A, B>;
    if constexpr (std::is_floating_point_v<T>) return static_cast<T>(__builtin_fmin(a, b));
    else return static_cast<T>(a) < static_cast<T>(b) ? static_cast<T>(a) : static_cast<T>(b);
}
template <class A, class B, class = std::enable_if_t<std::is_arithmetic_v<A> && std::is_arithmetic_v<B>>>
HIPCPU_FN constexpr std::common_type_t<A, B> max(A a, B b) {
    using T = std::common_type_t<A, B>;
    if constexpr (std::is_floating_point_v<T>) return static_cast<T>(__builtin_fmax(a, b));
    else return static_cast<T>(a) > static_cast<T>(b) ? static_cast<T>(a) : static_cast<T>(b);
}
HIPCPU_FN int __min(int a, int b) { return a < b ? a : b; }
HIPCPU_FN int __max(int a, int b) { return a > b ? a : b; }
HIPCPU_FN unsigned umin(unsigned a, unsigned b) { return a < b ? a : b; }
HIPCPU_FN unsigned umax(unsigned a, unsigned b) { return a > b ? a : b; }

HIPCPU_FN float rsqrtf(float x) { return 1.0f / sqrtf(x); }
HIPCPU_FN double rsqrt(double x) { return 1.0 / ::sqrt(x); }
HIPCPU_FN float rsqrt(float x) { return rsqrtf(x); }
HIPCPU_FN float rcbrtf(float x) { return 1.0f / cbrtf(x); }
HIPCPU_FN double rcbrt(double x) { return 1.0 / ::cbrt(x); }
HIPCPU_FN float sinpif(float x) { return static_cast<float>(::sin(M_PI * static_cast<double>(x))); }
HIPCPU_FN float cospif(float x) { return static_cast<float>(::cos(M_PI * static_cast<double>(x))); }
HIPCPU_FN double sinpi(double x) { return ::sin(M_PI * x); }
HIPCPU_FN double cospi(double x) { return ::cos(M_PI * x); }
HIPCPU_FN void sincospif(float x, float* s, float* c) { *s = sinpif(x); *c = cospif(x); }
HIPCPU_FN void sincospi(double x, double* s, double* c) { *s = sinpi(x); *c = cospi(x); }
HIPCPU_FN float normcdff(float x) { return 0.5f * erfcf(-x * 0.70710678118654752440f); }
HIPCPU_FN double normcdf(double x) { return 0.5 * ::erfc(-x * 0.70710678118654752440); }
HIPCPU_FN float erfcxf(float x) { return static_cast<float>(::exp(static_cast<double>(x) * x) * ::erfc(static_cast<double>(x))); }
HIPCPU_FN double erfcx(double x) { return ::exp(x * x) * ::erfc(x); }
HIPCPU_FN float norm3df(float a, float b, float c) { return sqrtf(a * a + b * b + c * c); }
HIPCPU_FN double norm3d(double a, double b, double c) { return ::sqrt(a * a + b * b + c * c); }
HIPCPU_FN float norm4df(float a, float b, float c, float d) { return sqrtf(a * a + b * b + c * c + d * d); }
HIPCPU_FN float rnorm3df(float a, float b, float c) { return 1.0f / norm3df(a, b, c); }
HIPCPU_FN float rhypotf(float a, float b) { return 1.0f / hypotf(a, b); }
HIPCPU_FN float fdividef(float a, float b) { return a / b; }
HIPCPU_FN float __saturatef(float x) { return x >= 0.0f ? (x <= 1.0f ? x : 1.0f) : 0.0f; }

// The fast forms: as exact here as the others. Macros, since the C library has functions of these names.
#define __expf expf
#define __exp10f exp10f
#define __logf logf
#define __log2f log2f
#define __log10f log10f
#define __sinf sinf
#define __cosf cosf
#define __tanf tanf
#define __powf powf
#define __sincosf sincosf
HIPCPU_FN float __fdividef(float a, float b) { return a / b; }
HIPCPU_FN float __frsqrt_rn(float x) { return 1.0f / sqrtf(x); }
HIPCPU_FN float __frcp_rn(float x) { return 1.0f / x; }
HIPCPU_FN float __fsqrt_rn(float x) { return sqrtf(x); }
HIPCPU_FN float __fadd_rn(float a, float b) { return a + b; }
HIPCPU_FN float __fsub_rn(float a, float b) { return a - b; }
HIPCPU_FN float __fmul_rn(float a, float b) { return a * b; }
HIPCPU_FN float __fdiv_rn(float a, float b) { return a / b; }
HIPCPU_FN float __fmaf_rn(float a, float b, float c) { return fmaf(a, b, c); }
HIPCPU_FN double __dadd_rn(double a, double b) { return a + b; }
HIPCPU_FN double __dsub_rn(double a, double b) { return a - b; }
HIPCPU_FN double __dmul_rn(double a, double b) { return a * b; }
HIPCPU_FN double __ddiv_rn(double a, double b) { return a / b; }
HIPCPU_FN double __dsqrt_rn(double x) { return ::sqrt(x); }
HIPCPU_FN double __drcp_rn(double x) { return 1.0 / x; }
HIPCPU_FN double __fma_rn(double a, double b, double c) { return ::fma(a, b, c); }

// ---- bits and casts

namespace hipcpu {
template <class To, class From>
HIPCPU_INLINE To bit_cast(const From& from) {
    static_assert(sizeof(To) == sizeof(From), "sizes differ");
    To to;
    __builtin_memcpy(&to, &from, sizeof to);
    return to;
}
//: Floating point to integer as a GPU does it: to the nearest value there is, NaN to 0.
template <class To, class From>
HIPCPU_INLINE To saturate(From x) {
    if (x != x) return 0;
    if (x <= static_cast<From>(std::numeric_limits<To>::min())) return std::numeric_limits<To>::min();
    if (x >= static_cast<From>(std::numeric_limits<To>::max())) return std::numeric_limits<To>::max();
    return static_cast<To>(x);
}
}  // namespace hipcpu

HIPCPU_FN int __float_as_int(float x) { return hipcpu::bit_cast<int>(x); }
HIPCPU_FN unsigned __float_as_uint(float x) { return hipcpu::bit_cast<unsigned>(x); }
HIPCPU_FN float __int_as_float(int x) { return hipcpu::bit_cast<float>(x); }
HIPCPU_FN float __uint_as_float(unsigned x) { return hipcpu::bit_cast<float>(x); }
HIPCPU_FN long long __double_as_longlong(double x) { return hipcpu::bit_cast<long long>(x); }
HIPCPU_FN double __longlong_as_double(long long x) { return hipcpu::bit_cast<double>(x); }
HIPCPU_FN int __double2hiint(double x) { return static_cast<int>(hipcpu::bit_cast<unsigned long long>(x) >> 32); }
HIPCPU_FN int __double2loint(double x) { return static_cast<int>(hipcpu::bit_cast<unsigned long long>(x)); }
HIPCPU_FN double __hiloint2double(int h, int l) {
    return hipcpu::bit_cast<double>(static_cast<unsigned long long>(static_cast<unsigned>(h)) << 32 | static_cast<unsigned>(l));
}
HIPCPU_FN int __popc(unsigned x) { return __builtin_popcount(x); }
HIPCPU_FN int __popcll(unsigned long long x) { return __builtin_popcountll(x); }
HIPCPU_FN int __clz(int x) { return x ? __builtin_clz(static_cast<unsigned>(x)) : 32; }
HIPCPU_FN int __clzll(long long x) { return x ? __builtin_clzll(static_cast<unsigned long long>(x)) : 64; }
template <class T>
HIPCPU_FN int __ffs(T x) { return __builtin_ffs(static_cast<int>(x)); }
template <class T>
HIPCPU_FN int __ffsll(T x) { return __builtin_ffsll(static_cast<long long>(x)); }
HIPCPU_FN unsigned __brev(unsigned x) {
    x = (x >> 1 & 0x55555555u) | (x & 0x55555555u) << 1;
    x = (x >> 2 & 0x33333333u) | (x & 0x33333333u) << 2;
    x = (x >> 4 & 0x0F0F0F0Fu) | (x & 0x0F0F0F0Fu) << 4;
    return __builtin_bswap32(x);
}
HIPCPU_FN unsigned long long __brevll(unsigned long long x) {
    return static_cast<unsigned long long>(__brev(static_cast<unsigned>(x))) << 32 | __brev(static_cast<unsigned>(x >> 32));
}
HIPCPU_FN unsigned __byte_perm(unsigned x, unsigned y, unsigned s) {
    const unsigned long long all = static_cast<unsigned long long>(y) << 32 | x;
    unsigned result = 0;
    for (int i = 0; i < 4; ++i) result |= static_cast<unsigned>(all >> (s >> 4 * i & 7) * 8 & 0xFF) << 8 * i;
    return result;
}
HIPCPU_FN unsigned __funnelshift_l(unsigned lo, unsigned hi, unsigned s) {
    return static_cast<unsigned>(((static_cast<unsigned long long>(hi) << 32 | lo) << (s & 31)) >> 32);
}
HIPCPU_FN unsigned __funnelshift_r(unsigned lo, unsigned hi, unsigned s) {
    return static_cast<unsigned>((static_cast<unsigned long long>(hi) << 32 | lo) >> (s & 31));
}
//: The clamped forms take more than 32 as 32.
HIPCPU_FN unsigned __funnelshift_lc(unsigned lo, unsigned hi, unsigned s) { return s < 32 ? __funnelshift_l(lo, hi, s) : lo; }
HIPCPU_FN unsigned __funnelshift_rc(unsigned lo, unsigned hi, unsigned s) { return s < 32 ? __funnelshift_r(lo, hi, s) : hi; }
HIPCPU_FN int __mulhi(int a, int b) { return static_cast<int>(static_cast<long long>(a) * b >> 32); }
HIPCPU_FN unsigned __umulhi(unsigned a, unsigned b) { return static_cast<unsigned>(static_cast<unsigned long long>(a) * b >> 32); }
HIPCPU_FN long long __mul64hi(long long a, long long b) { return static_cast<long long>(static_cast<__int128>(a) * b >> 64); }
HIPCPU_FN unsigned long long __umul64hi(unsigned long long a, unsigned long long b) {
    return static_cast<unsigned long long>(static_cast<unsigned __int128>(a) * b >> 64);
}
HIPCPU_FN int __mul24(int a, int b) { return (a << 8 >> 8) * (b << 8 >> 8); }
HIPCPU_FN unsigned __umul24(unsigned a, unsigned b) { return (a & 0xFFFFFFu) * (b & 0xFFFFFFu); }
HIPCPU_FN unsigned __sad(int a, int b, unsigned c) { return static_cast<unsigned>(a > b ? a - b : b - a) + c; }
HIPCPU_FN unsigned __usad(unsigned a, unsigned b, unsigned c) { return (a > b ? a - b : b - a) + c; }
HIPCPU_FN int __hadd(int a, int b) { return static_cast<int>((static_cast<long long>(a) + b) >> 1); }
HIPCPU_FN int __rhadd(int a, int b) { return static_cast<int>((static_cast<long long>(a) + b + 1) >> 1); }

#define HIPCPU_CONVERSIONS(suffix, round)                                                                           \
    HIPCPU_FN int __float2int_##suffix(float x) { return hipcpu::saturate<int>(round##f(x)); }                      \
    HIPCPU_FN unsigned __float2uint_##suffix(float x) { return hipcpu::saturate<unsigned>(round##f(x)); }           \
    HIPCPU_FN long long __float2ll_##suffix(float x) { return hipcpu::saturate<long long>(round##f(x)); }           \
    HIPCPU_FN unsigned long long __float2ull_##suffix(float x) { return hipcpu::saturate<unsigned long long>(round##f(x)); } \
    HIPCPU_FN unsigned long long __double2ull_##suffix(double x) { return hipcpu::saturate<unsigned long long>(round(x)); } \
    HIPCPU_FN int __double2int_##suffix(double x) { return hipcpu::saturate<int>(round(x)); }                       \
    HIPCPU_FN unsigned __double2uint_##suffix(double x) { return hipcpu::saturate<unsigned>(round(x)); }            \
    HIPCPU_FN long long __double2ll_##suffix(double x) { return hipcpu::saturate<long long>(round(x)); }
HIPCPU_CONVERSIONS(rn, rint)
HIPCPU_CONVERSIONS(rz, trunc)
HIPCPU_CONVERSIONS(rd, floor)
HIPCPU_CONVERSIONS(ru, ceil)
HIPCPU_FN float __int2float_rn(int x) { return static_cast<float>(x); }
HIPCPU_FN float __uint2float_rn(unsigned x) { return static_cast<float>(x); }
HIPCPU_FN double __int2double_rn(int x) { return x; }
HIPCPU_FN float __ll2float_rn(long long x) { return static_cast<float>(x); }
HIPCPU_FN float __ull2float_rn(unsigned long long x) { return static_cast<float>(x); }
HIPCPU_FN double __uint2double_rn(unsigned x) { return x; }
HIPCPU_FN double __ull2double_rn(unsigned long long x) { return static_cast<double>(x); }
HIPCPU_FN double __ll2double_rn(long long x) { return static_cast<double>(x); }
HIPCPU_FN float __double2float_rn(double x) { return static_cast<float>(x); }

// ---- memory and time

template <class T>
HIPCPU_INLINE T __ldg(const T* p) { return *p; }
template <class T>
HIPCPU_INLINE T __ldcg(const T* p) { return *p; }
template <class T>
HIPCPU_INLINE T __ldcs(const T* p) { return *p; }
template <class T>
HIPCPU_INLINE void __stcs(T* p, T v) { *p = v; }
template <class T>
HIPCPU_INLINE void __stcg(T* p, T v) { *p = v; }
HIPCPU_FN void __threadfence() { __atomic_thread_fence(__ATOMIC_SEQ_CST); }
HIPCPU_FN void __threadfence_block() { __atomic_signal_fence(__ATOMIC_SEQ_CST); }
HIPCPU_FN void __threadfence_system() { __atomic_thread_fence(__ATOMIC_SEQ_CST); }
HIPCPU_FN long long wall_clock64() {
    timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return static_cast<long long>(t.tv_sec) * 1000000000LL + t.tv_nsec;
}
HIPCPU_FN long long clock64() { return wall_clock64(); }
HIPCPU_FN long long __clock64() { return wall_clock64(); }
// `clock` is the C library's, and counts too coarsely.
HIPCPU_FN long long hipcpu_clock() { return wall_clock64(); }
#define clock() hipcpu_clock()
HIPCPU_FN void __nanosleep(unsigned) {}
HIPCPU_FN void __trap() { hipcpu_fail(719, "trap"); }
HIPCPU_FN void __builtin_amdgcn_s_sleep(int) {}
HIPCPU_FN unsigned long long __builtin_amdgcn_s_memrealtime() { return static_cast<unsigned long long>(wall_clock64()); }
//: Which multiprocessor: the device has one.
HIPCPU_FN unsigned __smid() { return 0; }
#define __builtin_debugtrap() __trap()
