"""How HIP's names follow from CUDA's: the candidates that a header then confirms or denies."""

from __future__ import annotations

import re
from collections.abc import Iterator

from hipify_py.mapping.records import Kind

#: Prefixes that HIP replaces, longest first. A name that starts with none of them keeps its spelling.
_PREFIXES = (
    ("CUBLASLT", "HIPBLASLT"),
    ("cublasLt", "hipblasLt"),
    ("CUBLAS", "HIPBLAS"),
    ("cublas", "hipblas"),
    ("CUSPARSE", "HIPSPARSE"),
    ("cusparse", "hipsparse"),
    ("CUSOLVER", "HIPSOLVER"),
    ("cusolver", "hipsolver"),
    ("CUFFT", "HIPFFT"),
    ("cufft", "hipfft"),
    ("CURAND", "HIPRAND"),
    ("curand", "hiprand"),
    ("NVRTC", "HIPRTC"),
    ("nvrtc", "hiprtc"),
    ("nvtx", "roctx"),
    ("CUDART_", "HIP_"),
    ("CUDA_", "HIP_"),
    ("CUDA_R_", "HIP_R_"),
    ("CUB_", "HIPCUB_"),
    ("CU_", "HIP_"),
    ("make_cu", "make_hip"),
    ("__nv_", "__hip_"),
    ("nv_", "__hip_"),
    ("cuda", "hip"),
    ("cu", "hip"),
    ("CU", "hip"),
)

_VERSIONED = re.compile(r"_v\d+$")

#: Names that HIP spells as CUDA's would become, but that mean something else: contexts against device numbers, a kind
#: more among the arguments, host handles, other structures, loads of half types only.
FALSE_FRIENDS = frozenset(
    (
        *("cuMemcpy", "cuMemcpyAsync", "cuMemcpyPeer", "cuMemcpyPeerAsync", "cuFuncSetAttribute"),
        *("cuFuncSetCacheConfig", "cuFuncSetSharedMemConfig", "CUDART_DEVICE", "cudaMemAdvise_v2", "cuMemAdvise_v2"),
        *("cudaMemPrefetchAsync_v2", "CUDA_MEMSET_NODE_PARAMS_v2", "CURAND_VERSION", "CUDAAPI", "CUDARTAPI"),
        *("CUDA_CB", "CUDART_CB", "__ldca", "__ldcg", "__ldcs", "__ldcv", "__ldlu", "__stcg", "__stcs", "__stwb"),
        *("__stwt",),
    )
)

#: Versioned functions that HIP has without the suffix although the tables' sources do not say so.
_SUFFIX_FALLS = frozenset(
    (
        *("cudaEventElapsedTime_v2", "cuEventElapsedTime_v2", "cuGetProcAddress_v2", "cuIpcOpenMemHandle_v2"),
        *("cuGLGetDevices_v2", "cuStreamBatchMemOp_v2", "cudaGetDeviceProperties_v2"),
    )
)


def candidates(cuda: str) -> Iterator[str]:
    """Yield the HIP names that CUDA's would have if it followed the others, the likeliest first.

    ``cudaFooBar`` gives ``hipFooBar``; ``CU_FOO_BAR`` also gives ``hipFooBar``. A version suffix falls away only where
    that is known to be right, because a second version is there for a reason.
    """
    if cuda in FALSE_FRIENDS:
        return
    for name in (cuda, _VERSIONED.sub("", cuda)) if cuda in _SUFFIX_FALLS else (cuda,):
        for prefix, replacement in _PREFIXES:
            if name.startswith(prefix) and name != prefix:
                rest = name[len(prefix) :]
                if prefix == "cu" and not rest[0].isupper():
                    continue
                yield replacement + rest
                if prefix in ("CU_", "CUDA_"):
                    yield "hip" + "".join(word.capitalize() for word in rest.split("_"))
                if prefix == "cuda":
                    yield replacement + rest + "_t"
                    yield replacement + rest.removesuffix("_t")
                break
        else:
            yield name


def kind_in(library: str, kind: Kind, versioned: Kind | None) -> Kind:
    """Correct a kind: a macro for a versioned function is a function, one of a device header runs on the device."""
    if kind is Kind.MACRO and versioned is Kind.FUNCTION:
        kind = Kind.FUNCTION
    if kind is Kind.FUNCTION and library in ("device", "low_precision", "wmma", "cooperative_groups"):
        return Kind.DEVICE_FUNCTION
    return Kind.TYPE if kind is Kind.BUILTIN else kind
