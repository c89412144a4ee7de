// __half and __half2, by conversion to float: each operation rounds once, to the nearest even, as a GPU's does.
#pragma once

#include "hip/hip_runtime.h"

namespace hipcpu {

inline float half_to_float(uint16_t h) {
    const uint32_t sign = static_cast<uint32_t>(h & 0x8000u) << 16;
    uint32_t exponent = h >> 10 & 0x1F, fraction = h & 0x3FFu;
    if (exponent == 31) return bit_cast<float>(sign | 0x7F800000u | fraction << 13);
    if (exponent == 0) {
        const float magnitude = static_cast<float>(fraction) * 5.9604644775390625e-8f;  // 2^-24
        return bit_cast<float>(sign | bit_cast<uint32_t>(magnitude));
    }
    return bit_cast<float>(sign | (exponent + 112) << 23 | fraction << 13);
}

enum class Rounding { nearest, zero, down, up };

//: Rounds a value to half; double, so that the result of an operation in double is rounded once.
inline uint16_t to_half(double value, Rounding rounding = Rounding::nearest) {
    const uint64_t bits = bit_cast<uint64_t>(value);
    const uint16_t sign = static_cast<uint16_t>(bits >> 48 & 0x8000u);
    if (value != value) return static_cast<uint16_t>(sign | 0x7E00u);
    const double magnitude = value < 0 ? -value : value;
    const bool away = (rounding == Rounding::up && !sign) || (rounding == Rounding::down && sign);
    if (magnitude == std::numeric_limits<double>::infinity()) return static_cast<uint16_t>(sign | 0x7C00u);
    if (magnitude == 0) return sign;
    int exponent = static_cast<int>(bits >> 52 & 0x7FF) - 1023;
    if (exponent < -14) exponent = -14;
    // The value in units of the last place: a whole number once rounded.
    const double scaled = __builtin_ldexp(magnitude, 10 - exponent);
    double whole = __builtin_floor(scaled);
    const double rest = scaled - whole;
    if (rounding == Rounding::nearest) {
        if (rest > 0.5 || (rest == 0.5 && (static_cast<uint64_t>(whole) & 1))) whole += 1;
    } else if (away && rest > 0) {
        whole += 1;
    }
    // A carry out of the fraction moves into the exponent by itself.
    const double encoded = whole + (exponent + 14) * 1024.0;
    if (encoded >= 31744.0) {
        const bool infinite = rounding == Rounding::nearest || away;
        return static_cast<uint16_t>(sign | (infinite ? 0x7C00u : 0x7BFFu));
    }
    return static_cast<uint16_t>(sign | static_cast<uint16_t>(encoded));
}

}  // namespace hipcpu

struct __half_raw {
    unsigned short x;
};

struct __half {
    unsigned short bits;
    __half() = default;
    constexpr __half(const __half_raw& raw) : bits(raw.x) {}
    template <class T, class = std::enable_if_t<std::is_arithmetic_v<T>>>
    __half(T value) : bits(hipcpu::to_half(static_cast<double>(value))) {}
    operator float() const { return hipcpu::half_to_float(bits); }
    operator __half_raw() const { return {bits}; }
    explicit operator double() const { return hipcpu::half_to_float(bits); }
    explicit operator bool() const { return (bits & 0x7FFFu) != 0; }
    explicit operator int() const { return hipcpu::saturate<int>(hipcpu::half_to_float(bits)); }
    explicit operator unsigned() const { return hipcpu::saturate<unsigned>(hipcpu::half_to_float(bits)); }
};

#define HIPCPU_HALF_NUMBER(H)                                                                              \
    HIPCPU_FN H operator+(H a, H b) { return H(static_cast<float>(a) + static_cast<float>(b)); }          \
    HIPCPU_FN H operator-(H a, H b) { return H(static_cast<float>(a) - static_cast<float>(b)); }          \
    HIPCPU_FN H operator*(H a, H b) { return H(static_cast<float>(a) * static_cast<float>(b)); }          \
    HIPCPU_FN H operator/(H a, H b) { return H(static_cast<float>(a) / static_cast<float>(b)); }          \
    HIPCPU_FN H operator-(H a) { a.bits ^= 0x8000u; return a; }                                            \
    HIPCPU_FN H operator+(H a) { return a; }                                                               \
    HIPCPU_FN H& operator+=(H& a, H b) { return a = a + b; }                                               \
    HIPCPU_FN H& operator-=(H& a, H b) { return a = a - b; }                                               \
    HIPCPU_FN H& operator*=(H& a, H b) { return a = a * b; }                                               \
    HIPCPU_FN H& operator/=(H& a, H b) { return a = a / b; }                                               \
    HIPCPU_FN bool operator==(H a, H b) { return static_cast<float>(a) == static_cast<float>(b); }         \
    HIPCPU_FN bool operator!=(H a, H b) { return static_cast<float>(a) != static_cast<float>(b); }         \
    HIPCPU_FN bool operator<(H a, H b) { return static_cast<float>(a) < static_cast<float>(b); }           \
    HIPCPU_FN bool operator>(H a, H b) { return static_cast<float>(a) > static_cast<float>(b); }           \
    HIPCPU_FN bool operator<=(H a, H b) { return static_cast<float>(a) <= static_cast<float>(b); }         \
    HIPCPU_FN bool operator>=(H a, H b) { return static_cast<float>(a) >= static_cast<float>(b); }

//: Names that half and bfloat16 share: __hadd and the others.
#define HIPCPU_HALF_FUNCTIONS(H)                                                                           \
    HIPCPU_FN H __hadd(H a, H b) { return a + b; }                                                         \
    HIPCPU_FN H __hsub(H a, H b) { return a - b; }                                                         \
    HIPCPU_FN H __hmul(H a, H b) { return a * b; }                                                         \
    HIPCPU_FN H __hdiv(H a, H b) { return a / b; }                                                         \
    HIPCPU_FN H __hneg(H a) { return -a; }                                                                 \
    HIPCPU_FN H __habs(H a) { a.bits &= 0x7FFFu; return a; }                                               \
    HIPCPU_FN H __hfma(H a, H b, H c) { return H(static_cast<double>(a) * static_cast<double>(b) + static_cast<double>(c)); } \
    HIPCPU_FN bool __heq(H a, H b) { return a == b; }                                                      \
    HIPCPU_FN bool __hne(H a, H b) { return a < b || a > b; }                                              \
    HIPCPU_FN bool __hlt(H a, H b) { return a < b; }                                                       \
    HIPCPU_FN bool __hle(H a, H b) { return a <= b; }                                                      \
    HIPCPU_FN bool __hgt(H a, H b) { return a > b; }                                                       \
    HIPCPU_FN bool __hge(H a, H b) { return a >= b; }                                                      \
    HIPCPU_FN bool __hisnan(H a) { return a != a; }                                                        \
    HIPCPU_FN H __hmax(H a, H b) { return H(fmaxf(a, b)); }                                                \
    HIPCPU_FN H __hmin(H a, H b) { return H(fminf(a, b)); }                                                \
    HIPCPU_FN H hsqrt(H a) { return H(sqrtf(a)); }                                                         \
    HIPCPU_FN H hrsqrt(H a) { return H(1.0 / ::sqrt(static_cast<double>(a))); }                            \
    HIPCPU_FN H hrcp(H a) { return H(1.0f / static_cast<float>(a)); }                                      \
    HIPCPU_FN H hexp(H a) { return H(::exp(static_cast<double>(a))); }                                     \
    HIPCPU_FN H hexp2(H a) { return H(::exp2(static_cast<double>(a))); }                                   \
    HIPCPU_FN H hlog(H a) { return H(::log(static_cast<double>(a))); }                                     \
    HIPCPU_FN H hlog2(H a) { return H(::log2(static_cast<double>(a))); }                                   \
    HIPCPU_FN H hlog10(H a) { return H(::log10(static_cast<double>(a))); }                                 \
    HIPCPU_FN H hsin(H a) { return H(::sin(static_cast<double>(a))); }                                     \
    HIPCPU_FN H hcos(H a) { return H(::cos(static_cast<double>(a))); }                                     \
    HIPCPU_FN H hfloor(H a) { return H(floorf(a)); }                                                       \
    HIPCPU_FN H hceil(H a) { return H(ceilf(a)); }                                                         \
    HIPCPU_FN H htrunc(H a) { return H(truncf(a)); }                                                       \
    HIPCPU_FN H hrint(H a) { return H(rintf(a)); }

//: Pairs, by element.
#define HIPCPU_HALF_PAIR(H, H2)                                                                            \
    HIPCPU_FN H2 operator+(H2 a, H2 b) { return {a.x + b.x, a.y + b.y}; }                                  \
    HIPCPU_FN H2 operator-(H2 a, H2 b) { return {a.x - b.x, a.y - b.y}; }                                  \
    HIPCPU_FN H2 operator*(H2 a, H2 b) { return {a.x * b.x, a.y * b.y}; }                                  \
    HIPCPU_FN H2 operator/(H2 a, H2 b) { return {a.x / b.x, a.y / b.y}; }                                  \
    HIPCPU_FN H2 operator-(H2 a) { return {-a.x, -a.y}; }                                                  \
    HIPCPU_FN H2& operator+=(H2& a, H2 b) { return a = a + b; }                                            \
    HIPCPU_FN H2& operator-=(H2& a, H2 b) { return a = a - b; }                                            \
    HIPCPU_FN H2& operator*=(H2& a, H2 b) { return a = a * b; }                                            \
    HIPCPU_FN H2& operator/=(H2& a, H2 b) { return a = a / b; }                                            \
    HIPCPU_FN bool operator==(H2 a, H2 b) { return a.x == b.x && a.y == b.y; }                             \
    HIPCPU_FN bool operator!=(H2 a, H2 b) { return !(a == b); }                                            \
    HIPCPU_FN H2 __hadd2(H2 a, H2 b) { return a + b; }                                                     \
    HIPCPU_FN H2 __hsub2(H2 a, H2 b) { return a - b; }                                                     \
    HIPCPU_FN H2 __hmul2(H2 a, H2 b) { return a * b; }                                                     \
    HIPCPU_FN H2 __h2div(H2 a, H2 b) { return a / b; }                                                     \
    HIPCPU_FN H2 __hneg2(H2 a) { return -a; }                                                              \
    HIPCPU_FN H2 __habs2(H2 a) { return {__habs(a.x), __habs(a.y)}; }                                      \
    HIPCPU_FN H2 __hfma2(H2 a, H2 b, H2 c) { return {__hfma(a.x, b.x, c.x), __hfma(a.y, b.y, c.y)}; }      \
    HIPCPU_FN H2 __hmax2(H2 a, H2 b) { return {__hmax(a.x, b.x), __hmax(a.y, b.y)}; }                      \
    HIPCPU_FN H2 __hmin2(H2 a, H2 b) { return {__hmin(a.x, b.x), __hmin(a.y, b.y)}; }                      \
    HIPCPU_FN H2 h2sqrt(H2 a) { return {hsqrt(a.x), hsqrt(a.y)}; }                                         \
    HIPCPU_FN H2 h2rsqrt(H2 a) { return {hrsqrt(a.x), hrsqrt(a.y)}; }                                      \
    HIPCPU_FN H2 h2exp(H2 a) { return {hexp(a.x), hexp(a.y)}; }                                            \
    HIPCPU_FN H2 h2log(H2 a) { return {hlog(a.x), hlog(a.y)}; }                                            \
    HIPCPU_FN bool __hbeq2(H2 a, H2 b) { return a.x == b.x && a.y == b.y; }                                \
    HIPCPU_FN bool __hblt2(H2 a, H2 b) { return a.x < b.x && a.y < b.y; }                                  \
    HIPCPU_FN bool __hbgt2(H2 a, H2 b) { return a.x > b.x && a.y > b.y; }

struct alignas(4) __half2 {
    __half x, y;
    __half2() = default;
    __half2(__half a, __half b) : x(a), y(b) {}
};
using half = __half;
using half2 = __half2;

HIPCPU_HALF_NUMBER(__half)
HIPCPU_HALF_FUNCTIONS(__half)
HIPCPU_HALF_PAIR(__half, __half2)

// A number beside a half: the half becomes a float, as its conversion says.
#define HIPCPU_HALF_MIXED(H, op, R)                                                                        \
    template <class T, class = std::enable_if_t<std::is_arithmetic_v<T>>>                                  \
    HIPCPU_FN R operator op(H a, T b) { return static_cast<R>(static_cast<float>(a) op b); }               \
    template <class T, class = std::enable_if_t<std::is_arithmetic_v<T>>>                                  \
    HIPCPU_FN R operator op(T a, H b) { return static_cast<R>(a op static_cast<float>(b)); }
#define HIPCPU_HALF_MIXED_ALL(H) \
    HIPCPU_HALF_MIXED(H, +, float) HIPCPU_HALF_MIXED(H, -, float) HIPCPU_HALF_MIXED(H, *, float) HIPCPU_HALF_MIXED(H, /, float) \
    HIPCPU_HALF_MIXED(H, <, bool) HIPCPU_HALF_MIXED(H, >, bool) HIPCPU_HALF_MIXED(H, <=, bool) HIPCPU_HALF_MIXED(H, >=, bool) \
    HIPCPU_HALF_MIXED(H, ==, bool) HIPCPU_HALF_MIXED(H, !=, bool)
HIPCPU_HALF_MIXED_ALL(__half)

HIPCPU_FN __half __float2half(float x) { return __half(x); }
HIPCPU_FN __half __float2half_rn(float x) { return __half(x); }
HIPCPU_FN __half __float2half_rz(float x) { return __half(__half_raw{hipcpu::to_half(x, hipcpu::Rounding::zero)}); }
HIPCPU_FN __half __float2half_rd(float x) { return __half(__half_raw{hipcpu::to_half(x, hipcpu::Rounding::down)}); }
HIPCPU_FN __half __float2half_ru(float x) { return __half(__half_raw{hipcpu::to_half(x, hipcpu::Rounding::up)}); }
HIPCPU_FN float __half2float(__half x) { return x; }
HIPCPU_FN __half __double2half(double x) { return __half(x); }
HIPCPU_FN __half2 __float2half2_rn(float x) { return {__half(x), __half(x)}; }
HIPCPU_FN __half2 __floats2half2_rn(float x, float y) { return {__half(x), __half(y)}; }
HIPCPU_FN __half2 __float22half2_rn(float2 v) { return {__half(v.x), __half(v.y)}; }
HIPCPU_FN float2 __half22float2(__half2 v) { return {v.x, v.y}; }
HIPCPU_FN __half2 __halves2half2(__half x, __half y) { return {x, y}; }
HIPCPU_FN __half2 __half2half2(__half x) { return {x, x}; }
HIPCPU_FN __half2 make_half2(__half x, __half y) { return {x, y}; }
HIPCPU_FN __half __low2half(__half2 v) { return v.x; }
HIPCPU_FN __half __high2half(__half2 v) { return v.y; }
HIPCPU_FN __half2 __low2half2(__half2 v) { return {v.x, v.x}; }
HIPCPU_FN __half2 __high2half2(__half2 v) { return {v.y, v.y}; }
HIPCPU_FN __half2 __lowhigh2highlow(__half2 v) { return {v.y, v.x}; }
HIPCPU_FN float __low2float(__half2 v) { return v.x; }
HIPCPU_FN float __high2float(__half2 v) { return v.y; }
HIPCPU_FN int __half2int_rn(__half x) { return hipcpu::saturate<int>(rintf(x)); }
HIPCPU_FN int __half2int_rz(__half x) { return hipcpu::saturate<int>(truncf(x)); }
HIPCPU_FN __half __int2half_rn(int x) { return __half(x); }
HIPCPU_FN __half __uint2half_rn(unsigned x) { return __half(x); }
HIPCPU_FN short __half_as_short(__half x) { return static_cast<short>(x.bits); }
HIPCPU_FN unsigned short __half_as_ushort(__half x) { return x.bits; }
HIPCPU_FN __half __short_as_half(short x) { return __half(__half_raw{static_cast<unsigned short>(x)}); }
HIPCPU_FN __half __ushort_as_half(unsigned short x) { return __half(__half_raw{x}); }
