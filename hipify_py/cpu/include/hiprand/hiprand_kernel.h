// hipRAND for device code: XORWOW and Philox 4x32-10, with the distributions of one value at a time.
//
// Philox is the published algorithm and gives its published values. The seeding of XORWOW is each library's own matter:
// the sequence here is a good one, not that of hipRAND or cuRAND.
#pragma once

#include "hip/hip_runtime.h"

struct hiprandStatePhilox4_32_10_t {
    uint4 counter, output;
    uint2 key;
    unsigned used;
    int has_normal;
    float normal;
    int has_normal_double;
    double normal_double;
};
struct hiprandStateXORWOW_t {
    unsigned x[5], d;
    int has_normal;
    float normal;
    int has_normal_double;
    double normal_double;
};
using hiprandStatePhilox4_32_10 = hiprandStatePhilox4_32_10_t;
using hiprandStateXORWOW = hiprandStateXORWOW_t;
using hiprandState = hiprandStateXORWOW_t;
using hiprandState_t = hiprandStateXORWOW_t;

namespace hipcpu {

inline uint4 philox_round(uint4 c, uint2 k) {
    const unsigned long long a = 0xD2511F53ull * c.x, b = 0xCD9E8D57ull * c.z;
    return uint4(static_cast<unsigned>(b >> 32) ^ c.y ^ k.x, static_cast<unsigned>(b), static_cast<unsigned>(a >> 32) ^ c.w ^ k.y,
                 static_cast<unsigned>(a));
}
inline uint4 philox(uint4 c, uint2 k) {
    for (int i = 0; i < 10; ++i) {
        c = philox_round(c, k);
        k.x += 0x9E3779B9u;
        k.y += 0xBB67AE85u;
    }
    return c;
}
inline void advance(uint4& c, unsigned long long n) {
    const unsigned long long low = static_cast<unsigned long long>(c.y) << 32 | c.x;
    const unsigned long long sum = low + n;
    c.x = static_cast<unsigned>(sum);
    c.y = static_cast<unsigned>(sum >> 32);
    if (sum < low && ++c.z == 0) ++c.w;
}
inline unsigned long long mix(unsigned long long& state) {
    unsigned long long z = (state += 0x9E3779B97F4A7C15ull);
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9ull;
    z = (z ^ z >> 27) * 0x94D049BB133111EBull;
    return z ^ z >> 31;
}

}  // namespace hipcpu

HIPCPU_FN void skipahead(unsigned long long n, hiprandStatePhilox4_32_10_t* s) {
    const unsigned long long at = s->used + n;
    hipcpu::advance(s->counter, at / 4);
    s->used = static_cast<unsigned>(at % 4);
    s->output = hipcpu::philox(s->counter, s->key);
}
HIPCPU_FN void hiprand_init(unsigned long long seed, unsigned long long subsequence, unsigned long long offset, hiprandStatePhilox4_32_10_t* s) {
    *s = hiprandStatePhilox4_32_10_t{};
    s->key = uint2(static_cast<unsigned>(seed), static_cast<unsigned>(seed >> 32));
    s->counter = uint4(0, 0, static_cast<unsigned>(subsequence), static_cast<unsigned>(subsequence >> 32));
    s->used = 0;
    skipahead(offset, s);
}
HIPCPU_FN unsigned hiprand(hiprandStatePhilox4_32_10_t* s) {
    const unsigned all[4] = {s->output.x, s->output.y, s->output.z, s->output.w};
    const unsigned value = all[s->used];
    if (++s->used == 4) {
        s->used = 0;
        hipcpu::advance(s->counter, 1);
        s->output = hipcpu::philox(s->counter, s->key);
    }
    return value;
}
HIPCPU_FN uint4 hiprand4(hiprandStatePhilox4_32_10_t* s) {
    const unsigned a = hiprand(s), b = hiprand(s), c = hiprand(s), d = hiprand(s);
    return uint4(a, b, c, d);
}

HIPCPU_FN unsigned hiprand(hiprandStateXORWOW_t* s) {
    const unsigned t = s->x[0] ^ s->x[0] >> 2;
    for (int i = 0; i < 4; ++i) s->x[i] = s->x[i + 1];
    s->x[4] = (s->x[4] ^ s->x[4] << 4) ^ (t ^ t << 1);
    s->d += 362437;
    return s->d + s->x[4];
}
HIPCPU_FN void skipahead(unsigned long long n, hiprandStateXORWOW_t* s) {
    while (n--) hiprand(s);
}
HIPCPU_FN void hiprand_init(unsigned long long seed, unsigned long long subsequence, unsigned long long offset, hiprandStateXORWOW_t* s) {
    *s = hiprandStateXORWOW_t{};
    unsigned long long state = seed ^ subsequence * 0xD1342543DE82EF95ull;
    for (unsigned& word : s->x) word = static_cast<unsigned>(hipcpu::mix(state)) | 1u;
    s->d = static_cast<unsigned>(hipcpu::mix(state));
    skipahead(offset, s);
}

template <class S>
HIPCPU_INLINE float hiprand_uniform(S* s) { return static_cast<float>(hiprand(s)) * 2.3283064e-10f + 1.1641532e-10f; }
template <class S>
HIPCPU_INLINE double hiprand_uniform_double(S* s) {
    const unsigned long long high = hiprand(s), low = hiprand(s);
    return static_cast<double>((high << 21 ^ low) & 0x1FFFFFFFFFFFFFull) * 1.1102230246251565e-16 + 5.551115123125783e-17;
}
template <class S>
HIPCPU_INLINE float2 hiprand_normal2(S* s) {
    const float u = hiprand_uniform(s), v = hiprand_uniform(s);
    const float r = sqrtf(-2.0f * logf(u)), angle = 6.2831853f * v;
    return float2(r * sinf(angle), r * cosf(angle));
}
template <class S>
HIPCPU_INLINE float hiprand_normal(S* s) {
    if (s->has_normal) {
        s->has_normal = 0;
        return s->normal;
    }
    const float2 pair = hiprand_normal2(s);
    s->has_normal = 1;
    s->normal = pair.y;
    return pair.x;
}
template <class S>
HIPCPU_INLINE double2 hiprand_normal2_double(S* s) {
    const double u = hiprand_uniform_double(s), v = hiprand_uniform_double(s);
    const double r = ::sqrt(-2.0 * ::log(u)), angle = 6.283185307179586 * v;
    return double2(r * ::sin(angle), r * ::cos(angle));
}
template <class S>
HIPCPU_INLINE double hiprand_normal_double(S* s) {
    if (s->has_normal_double) {
        s->has_normal_double = 0;
        return s->normal_double;
    }
    const double2 pair = hiprand_normal2_double(s);
    s->has_normal_double = 1;
    s->normal_double = pair.y;
    return pair.x;
}
template <class S>
HIPCPU_INLINE float hiprand_log_normal(S* s, float mean, float deviation) { return expf(mean + deviation * hiprand_normal(s)); }
template <class S>
HIPCPU_INLINE double hiprand_log_normal_double(S* s, double mean, double deviation) { return ::exp(mean + deviation * hiprand_normal_double(s)); }
HIPCPU_FN float4 hiprand_uniform4(hiprandStatePhilox4_32_10_t* s) {
    const float a = hiprand_uniform(s), b = hiprand_uniform(s), c = hiprand_uniform(s), d = hiprand_uniform(s);
    return float4(a, b, c, d);
}
HIPCPU_FN float4 hiprand_normal4(hiprandStatePhilox4_32_10_t* s) {
    const float2 a = hiprand_normal2(s), b = hiprand_normal2(s);
    return float4(a.x, a.y, b.x, b.y);
}
template <class S>
HIPCPU_INLINE unsigned hiprand_poisson(S* s, double lambda) {
    if (lambda > 64) {
        const double value = ::rint(lambda + ::sqrt(lambda) * hiprand_normal_double(s));
        return value < 0 ? 0 : static_cast<unsigned>(value);
    }
    const double limit = ::exp(-lambda);
    double product = hiprand_uniform_double(s);
    unsigned n = 0;
    while (product > limit) {
        product *= hiprand_uniform_double(s);
        ++n;
    }
    return n;
}
