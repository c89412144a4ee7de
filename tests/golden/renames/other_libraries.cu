// golden: no-compile
#include <cuda_runtime.h>
#include <nppi.h>
#include <nppi_filtering_functions.h>
#include <nvjpeg.h>
#include "local_checks.h"

enum decoder { CUDA_DECODER_CPU, CUDA_DECODER_GPU };

#ifdef NVJPEGAPI
const char *word(nvjpegStatus_t status) { return status == NVJPEG_STATUS_SUCCESS ? "" : "failed"; }
#endif

void blur(const Npp8u *source, Npp8u *target, int pitch, NppiSize size) {
  NppiSize mask = {5, 5};
  NPP_CHECK(nppiFilterBox_8u_C1R(source, pitch, target, pitch, size, mask, NppiPoint{2, 2}));
  CUDA_CHECK(cudaDeviceSynchronize());
  cudaLogState(CUDA_DECODER_GPU);  // of local_checks.h, which is not here
}
