"""The headers that the check of the mapping tables reads, on both sides."""

from __future__ import annotations

#: HIP's headers by the table whose names they declare; the empty key is the runtime's and the device language's.
HIP_HEADERS: dict[str, tuple[str, ...]] = {
    "": (
        "hip/hip_runtime.h",
        *(f"hip/{name}.h" for name in ("hip_fp16", "hip_bf16", "hip_fp8", "hip_complex", "hip_cooperative_groups")),
        *(
            f"hip/{name}.h"
            for name in ("hiprtc", "hip_math_constants", "hip_gl_interop", "library_types", "hip_profile")
        ),
    ),
    "blas": ("hipblas/hipblas.h", "rocblas/rocblas.h"),
    "blaslt": ("hipblaslt/hipblaslt.h",),
    "sparse": ("hipsparse/hipsparse.h", "rocsparse/rocsparse.h"),
    "rand": (
        "hiprand/hiprand.h",
        "hiprand/hiprand_kernel.h",
        "hiprand/hiprand_mtgp32_host.h",
        "rocrand/rocrand.h",
        "rocrand/rocrand_kernel.h",
    ),
    "fft": ("hipfft/hipfft.h", "hipfft/hipfftXt.h"),
    "solver": ("hipsolver/hipsolver.h", "rocsolver/rocsolver.h"),
    "nccl": ("rccl/rccl.h",),
    "nvtx": ("roctracer/roctx.h",),
    "thrust": ("thrust/system/hip/execution_policy.h",),
    "cub": ("hipcub/hipcub.hpp",),
    "dnn": ("miopen/miopen.h",),
}

#: CUDA's headers that cannot stand beside the others in one source: ``cublas.h`` gives other signatures to the names of
#: ``cublas_v2.h``.
ALONE = frozenset(("cublas.h",))

CUDA_HEADERS: tuple[str, ...] = (
    *("cuda.h", "cuda_runtime_api.h", "cuda_runtime.h", "cuda_fp16.h", "cuda_bf16.h", "cuda_fp8.h", "cuda_fp6.h"),
    *("cuda_fp4.h", "cuComplex.h", "cooperative_groups.h", "nvrtc.h", "math_constants.h", "cuda_gl_interop.h"),
    *("cudaGL.h", "cudaEGL.h", "cudaVDPAU.h", "cuda_egl_interop.h", "cuda_vdpau_interop.h", "library_types.h"),
    *("cuda_profiler_api.h", "cudaProfiler.h", "cuda_pipeline.h", "cuda_awbarrier.h", "mma.h", "cublas_v2.h"),
    *("cublas.h", "cublasLt.h", "cublasXt.h", "cusparse.h", "curand.h", "curand_kernel.h", "cufft.h", "cufftXt.h"),
    *("cusolverDn.h", "cusolverSp.h", "cusolverRf.h", "cusolverMg.h", "cudnn.h", "nccl.h", "nvtx3/nvToolsExt.h"),
    *("nvtx3/nvToolsExtCudaRt.h", "nvtx3/nvToolsExtCuda.h", "nvml.h", "cupti.h"),
)
