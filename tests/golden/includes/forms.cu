// golden: newer-hip
/*
 * Copyright (c) somebody, who may be asked.
 */
#ifndef FORMS_H
#define FORMS_H

#include <cstdio>
#include <cuda.h>
#include <cuda_runtime.h>
#  include "cuda_runtime_api.h"   // the API
#include <cublas_v2.h>
#include <cub/block/block_reduce.cuh>
#include <cub/block/block_scan.cuh>
#define HALF <cuda_fp16.h>
#include HALF
#if __has_include(<cuda_bf16.h>)
#include <cuda_bf16.h>
#endif
#ifdef FORMS_AGAIN
#include <cuda_fp16.h>
#endif

__global__ void pack(const float *in, __half *out) { out[threadIdx.x] = __float2half(in[threadIdx.x]); }

#endif  // FORMS_H
