// Complex numbers of C: hipFloatComplex and hipDoubleComplex are float2 and double2.
#pragma once

#include "hip/hip_runtime.h"

using hipFloatComplex = float2;
using hipDoubleComplex = double2;
using hipComplex = hipFloatComplex;

#define HIPCPU_COMPLEX(C, T, suffix, root)                                                                   \
    HIPCPU_FN T hipCreal##suffix(C z) { return z.x; }                                                        \
    HIPCPU_FN T hipCimag##suffix(C z) { return z.y; }                                                        \
    HIPCPU_FN C hipConj##suffix(C z) { return C(z.x, -z.y); }                                                \
    HIPCPU_FN T hipCsqabs##suffix(C z) { return z.x * z.x + z.y * z.y; }                                     \
    HIPCPU_FN T hipCabs##suffix(C z) { return root(z.x, z.y); }                                              \
    HIPCPU_FN C hipCadd##suffix(C a, C b) { return C(a.x + b.x, a.y + b.y); }                                \
    HIPCPU_FN C hipCsub##suffix(C a, C b) { return C(a.x - b.x, a.y - b.y); }                                \
    HIPCPU_FN C hipCmul##suffix(C a, C b) { return C(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x); }        \
    HIPCPU_FN C hipCdiv##suffix(C a, C b) {                                                                  \
        const T n = hipCsqabs##suffix(b);                                                                    \
        return C((a.x * b.x + a.y * b.y) / n, (a.y * b.x - a.x * b.y) / n);                                  \
    }                                                                                                        \
    HIPCPU_FN C hipCfma##suffix(C a, C b, C c) { return hipCadd##suffix(hipCmul##suffix(a, b), c); }
HIPCPU_COMPLEX(hipFloatComplex, float, f, hypotf)
HIPCPU_COMPLEX(hipDoubleComplex, double, , ::hypot)

HIPCPU_FN hipFloatComplex make_hipFloatComplex(float x, float y) { return {x, y}; }
HIPCPU_FN hipComplex make_hipComplex(float x, float y) { return {x, y}; }
HIPCPU_FN hipDoubleComplex make_hipDoubleComplex(double x, double y) { return {x, y}; }
HIPCPU_FN hipFloatComplex hipComplexDoubleToFloat(hipDoubleComplex z) { return {static_cast<float>(z.x), static_cast<float>(z.y)}; }
HIPCPU_FN hipDoubleComplex hipComplexFloatToDouble(hipFloatComplex z) { return {z.x, z.y}; }
