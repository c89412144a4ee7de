// golden: no-compile
#include "common/cuda_runtime.h"
#include "my.cuda.h"
#include <cuda/atomic>
#include <mma.h>
#include <nvml.h>
#include <thrust/sort.h>
#include "/usr/local/cuda/include/not_of_cudas.h"
#ifdef __HIPCC__
#include <hip/hip_runtime.h>
#else
#include <cuda_runtime.h>
#endif
