// char1 .. ulonglong4, float1 .. double4: members, alignment, constructors and operators as HIP has them.
#pragma once

#include <stdint.h>

#define HIPCPU_VECTOR_OPERATOR(V, T, N, op)                                                       \
    constexpr inline V& operator op##=(V& a, const V& b) { return a = hipcpu_each_##N(a, op, b); } \
    constexpr inline V& operator op##=(V& a, T b) { return a = hipcpu_scalar_##N(a, op, b); }      \
    constexpr inline V operator op(const V& a, const V& b) { return hipcpu_each_##N(a, op, b); }   \
    constexpr inline V operator op(const V& a, T b) { return hipcpu_scalar_##N(a, op, b); }        \
    constexpr inline V operator op(T a, const V& b) { return hipcpu_reverse_##N(a, op, b); }

// Each list is put in braces by its macro; the casts undo the promotion of small integers.
#define hipcpu_each_1(a, op, b) {static_cast<decltype(a.x)>(a.x op b.x)}
#define hipcpu_each_2(a, op, b) {static_cast<decltype(a.x)>(a.x op b.x), static_cast<decltype(a.x)>(a.y op b.y)}
#define hipcpu_each_3(a, op, b)                                                                        \
    {static_cast<decltype(a.x)>(a.x op b.x), static_cast<decltype(a.x)>(a.y op b.y),                   \
     static_cast<decltype(a.x)>(a.z op b.z)}
#define hipcpu_each_4(a, op, b)                                                                        \
    {static_cast<decltype(a.x)>(a.x op b.x), static_cast<decltype(a.x)>(a.y op b.y),                   \
     static_cast<decltype(a.x)>(a.z op b.z), static_cast<decltype(a.x)>(a.w op b.w)}
#define hipcpu_scalar_1(a, op, b) {static_cast<decltype(a.x)>(a.x op b)}
#define hipcpu_scalar_2(a, op, b) {static_cast<decltype(a.x)>(a.x op b), static_cast<decltype(a.x)>(a.y op b)}
#define hipcpu_scalar_3(a, op, b)                                                                      \
    {static_cast<decltype(a.x)>(a.x op b), static_cast<decltype(a.x)>(a.y op b), static_cast<decltype(a.x)>(a.z op b)}
#define hipcpu_scalar_4(a, op, b)                                                                      \
    {static_cast<decltype(a.x)>(a.x op b), static_cast<decltype(a.x)>(a.y op b),                       \
     static_cast<decltype(a.x)>(a.z op b), static_cast<decltype(a.x)>(a.w op b)}
#define hipcpu_reverse_1(a, op, b) {static_cast<decltype(b.x)>(a op b.x)}
#define hipcpu_reverse_2(a, op, b) {static_cast<decltype(b.x)>(a op b.x), static_cast<decltype(b.x)>(a op b.y)}
#define hipcpu_reverse_3(a, op, b)                                                                     \
    {static_cast<decltype(b.x)>(a op b.x), static_cast<decltype(b.x)>(a op b.y), static_cast<decltype(b.x)>(a op b.z)}
#define hipcpu_reverse_4(a, op, b)                                                                     \
    {static_cast<decltype(b.x)>(a op b.x), static_cast<decltype(b.x)>(a op b.y),                       \
     static_cast<decltype(b.x)>(a op b.z), static_cast<decltype(b.x)>(a op b.w)}

#define HIPCPU_VECTOR_ARITHMETIC(V, T, N, equal)                                       \
    HIPCPU_VECTOR_OPERATOR(V, T, N, +)                                                 \
    HIPCPU_VECTOR_OPERATOR(V, T, N, -)                                                 \
    HIPCPU_VECTOR_OPERATOR(V, T, N, *)                                                 \
    HIPCPU_VECTOR_OPERATOR(V, T, N, /)                                                 \
    constexpr inline V operator-(const V& a) { return hipcpu_reverse_##N(T(0), -, a); } \
    constexpr inline V operator+(const V& a) { return a; }                             \
    constexpr inline V& operator++(V& a) { return a += T(1); }                         \
    constexpr inline V& operator--(V& a) { return a -= T(1); }                         \
    constexpr inline bool operator==(const V& a, const V& b) { return equal; }         \
    constexpr inline bool operator!=(const V& a, const V& b) { return !(a == b); }

#define HIPCPU_VECTOR_INTEGER(V, T, N)       \
    HIPCPU_VECTOR_OPERATOR(V, T, N, %)       \
    HIPCPU_VECTOR_OPERATOR(V, T, N, &)       \
    HIPCPU_VECTOR_OPERATOR(V, T, N, |)       \
    HIPCPU_VECTOR_OPERATOR(V, T, N, ^)       \
    HIPCPU_VECTOR_OPERATOR(V, T, N, <<)      \
    HIPCPU_VECTOR_OPERATOR(V, T, N, >>)      \
    constexpr inline V operator~(const V& a) { return hipcpu_reverse_##N(T(-1), ^, a); }

#define HIPCPU_VECTORS(name, T)                                                                            \
    struct name##1 {                                                                                       \
        T x;                                                                                               \
        name##1() = default;                                                                               \
        constexpr name##1(T x_) : x(x_) {}                                                                 \
    };                                                                                                     \
    struct alignas(2 * sizeof(T)) name##2 {                                                                \
        T x, y;                                                                                            \
        name##2() = default;                                                                               \
        constexpr name##2(T s) : x(s), y(s) {}                                                             \
        constexpr name##2(T x_, T y_) : x(x_), y(y_) {}                                                    \
    };                                                                                                     \
    struct name##3 {                                                                                       \
        T x, y, z;                                                                                         \
        name##3() = default;                                                                               \
        constexpr name##3(T s) : x(s), y(s), z(s) {}                                                       \
        constexpr name##3(T x_, T y_, T z_ = T(0)) : x(x_), y(y_), z(z_) {}                                \
    };                                                                                                     \
    struct alignas(4 * sizeof(T)) name##4 {                                                                \
        T x, y, z, w;                                                                                      \
        name##4() = default;                                                                               \
        constexpr name##4(T s) : x(s), y(s), z(s), w(s) {}                                                 \
        constexpr name##4(T x_, T y_, T z_ = T(0), T w_ = T(0)) : x(x_), y(y_), z(z_), w(w_) {}            \
    };                                                                                                     \
    static constexpr inline name##1 make_##name##1(T x) { return name##1(x); }                             \
    static constexpr inline name##2 make_##name##2(T x, T y) { return name##2(x, y); }                     \
    static constexpr inline name##3 make_##name##3(T x, T y, T z) { return name##3(x, y, z); }             \
    static constexpr inline name##4 make_##name##4(T x, T y, T z, T w) { return name##4(x, y, z, w); }     \
    HIPCPU_VECTOR_ARITHMETIC(name##1, T, 1, a.x == b.x)                                                    \
    HIPCPU_VECTOR_ARITHMETIC(name##2, T, 2, a.x == b.x && a.y == b.y)                                      \
    HIPCPU_VECTOR_ARITHMETIC(name##3, T, 3, a.x == b.x && a.y == b.y && a.z == b.z)                        \
    HIPCPU_VECTOR_ARITHMETIC(name##4, T, 4, a.x == b.x && a.y == b.y && a.z == b.z && a.w == b.w)

#define HIPCPU_INTEGER_VECTORS(name, T) \
    HIPCPU_VECTORS(name, T)             \
    HIPCPU_VECTOR_INTEGER(name##1, T, 1) \
    HIPCPU_VECTOR_INTEGER(name##2, T, 2) \
    HIPCPU_VECTOR_INTEGER(name##3, T, 3) \
    HIPCPU_VECTOR_INTEGER(name##4, T, 4)

// T(0) wants names of one word.
namespace hipcpu {
using char_element = signed char;
using uchar_element = unsigned char;
using short_element = short;
using ushort_element = unsigned short;
using int_element = int;
using uint_element = unsigned int;
using long_element = long;
using ulong_element = unsigned long;
using longlong_element = long long;
using ulonglong_element = unsigned long long;
}

HIPCPU_INTEGER_VECTORS(char, hipcpu::char_element)
HIPCPU_INTEGER_VECTORS(uchar, hipcpu::uchar_element)
HIPCPU_INTEGER_VECTORS(short, hipcpu::short_element)
HIPCPU_INTEGER_VECTORS(ushort, hipcpu::ushort_element)
HIPCPU_INTEGER_VECTORS(int, hipcpu::int_element)
HIPCPU_INTEGER_VECTORS(uint, hipcpu::uint_element)
HIPCPU_INTEGER_VECTORS(long, hipcpu::long_element)
HIPCPU_INTEGER_VECTORS(ulong, hipcpu::ulong_element)
HIPCPU_INTEGER_VECTORS(longlong, hipcpu::longlong_element)
HIPCPU_INTEGER_VECTORS(ulonglong, hipcpu::ulonglong_element)
HIPCPU_VECTORS(float, float)
HIPCPU_VECTORS(double, double)

// Kept the size and the passing of three words.
struct dim3 {
    uint32_t x, y, z;
    constexpr dim3(uint32_t x_ = 1, uint32_t y_ = 1, uint32_t z_ = 1) : x(x_), y(y_), z(z_) {}
    constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
    constexpr operator uint3() const { return uint3(x, y, z); }
};
