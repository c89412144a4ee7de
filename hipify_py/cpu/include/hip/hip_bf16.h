// __hip_bfloat16 and its pair, as hip_fp16.h has half.
#pragma once

#include "hip/hip_fp16.h"

namespace hipcpu {
inline float bfloat_to_float(uint16_t b) { return bit_cast<float>(static_cast<uint32_t>(b) << 16); }
inline uint16_t to_bfloat(double value) {
    const float near = static_cast<float>(value);
    uint32_t bits = bit_cast<uint32_t>(near);
    if (value != value) return static_cast<uint16_t>((bits >> 16) | 0x0040u);
    // Rounding twice goes wrong only where the float lies exactly half way and the double does not.
    const double error = value - static_cast<double>(near);
    if ((bits & 0xFFFFu) == 0x8000u && error != 0) {
        const bool larger = (error > 0) == (value > 0);
        return static_cast<uint16_t>((bits >> 16) + (larger ? 1 : 0));
    }
    bits += 0x7FFFu + (bits >> 16 & 1);
    return static_cast<uint16_t>(bits >> 16);
}
}  // namespace hipcpu

struct __hip_bfloat16_raw {
    unsigned short x;
};
struct __hip_bfloat16 {
    unsigned short bits;
    __hip_bfloat16() = default;
    constexpr __hip_bfloat16(const __hip_bfloat16_raw& raw) : bits(raw.x) {}
    template <class T, class = std::enable_if_t<std::is_arithmetic_v<T>>>
    __hip_bfloat16(T value) : bits(hipcpu::to_bfloat(static_cast<double>(value))) {}
    operator float() const { return hipcpu::bfloat_to_float(bits); }
    operator __hip_bfloat16_raw() const { return {bits}; }
    explicit operator double() const { return hipcpu::bfloat_to_float(bits); }
    explicit operator bool() const { return (bits & 0x7FFFu) != 0; }
    explicit operator int() const { return hipcpu::saturate<int>(hipcpu::bfloat_to_float(bits)); }
};
struct alignas(4) __hip_bfloat162 {
    __hip_bfloat16 x, y;
    __hip_bfloat162() = default;
    __hip_bfloat162(__hip_bfloat16 a, __hip_bfloat16 b) : x(a), y(b) {}
};
using hip_bfloat16 = __hip_bfloat16;

HIPCPU_HALF_NUMBER(__hip_bfloat16)
HIPCPU_HALF_FUNCTIONS(__hip_bfloat16)
HIPCPU_HALF_PAIR(__hip_bfloat16, __hip_bfloat162)
HIPCPU_HALF_MIXED_ALL(__hip_bfloat16)

HIPCPU_FN __hip_bfloat16 __float2bfloat16(float x) { return __hip_bfloat16(x); }
HIPCPU_FN __hip_bfloat16 __float2bfloat16_rn(float x) { return __hip_bfloat16(x); }
HIPCPU_FN __hip_bfloat16 __double2bfloat16(double x) { return __hip_bfloat16(x); }
HIPCPU_FN float __bfloat162float(__hip_bfloat16 x) { return x; }
HIPCPU_FN __hip_bfloat162 __float2bfloat162_rn(float x) { return {__hip_bfloat16(x), __hip_bfloat16(x)}; }
HIPCPU_FN __hip_bfloat162 __floats2bfloat162_rn(float x, float y) { return {__hip_bfloat16(x), __hip_bfloat16(y)}; }
HIPCPU_FN __hip_bfloat162 __float22bfloat162_rn(float2 v) { return {__hip_bfloat16(v.x), __hip_bfloat16(v.y)}; }
HIPCPU_FN float2 __bfloat1622float2(__hip_bfloat162 v) { return {v.x, v.y}; }
HIPCPU_FN __hip_bfloat162 __halves2bfloat162(__hip_bfloat16 x, __hip_bfloat16 y) { return {x, y}; }
HIPCPU_FN __hip_bfloat162 __bfloat162bfloat162(__hip_bfloat16 x) { return {x, x}; }
HIPCPU_FN __hip_bfloat16 __low2bfloat16(__hip_bfloat162 v) { return v.x; }
HIPCPU_FN __hip_bfloat16 __high2bfloat16(__hip_bfloat162 v) { return v.y; }
HIPCPU_FN unsigned short __bfloat16_as_ushort(__hip_bfloat16 x) { return x.bits; }
HIPCPU_FN __hip_bfloat16 __ushort_as_bfloat16(unsigned short x) { return __hip_bfloat16(__hip_bfloat16_raw{x}); }
