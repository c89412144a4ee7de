// golden: newer-hip
/*
 * Copyright (c) somebody, who may be asked.
 */
#ifndef FORMS_H
#define FORMS_H

#include <cstdio>
#include <hip/hip_runtime.h>
#  include "hip/hip_runtime_api.h"   // the API
#include <hipblas/hipblas.h>
#include <hipcub/hipcub.hpp>
#define HALF <hip/hip_fp16.h>
#include HALF
#if __has_include(<hip/hip_bf16.h>)
#include <hip/hip_bf16.h>
#endif
#ifdef FORMS_AGAIN
#include <hip/hip_fp16.h>
#endif

__global__ void pack(const float *in, __half *out) { out[hipThreadIdx_x] = __float2half(in[hipThreadIdx_x]); }

#endif  // FORMS_H
