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
_INTERNAL = re.compile(
    r"_H_*$|_HPP_*$|_INCLUDED_*$|_internal|^__internal|_impl$|_ptsz$|_ptds$|^__curand_|^_|^__cuda|DEPRECATED$|GENERATED"
    r"|^__NV|^__CUDA|^CUPTI_(DRIVER|RUNTIME|CBID)_TRACE|^__nv_\w+_impl|^NV_|_(begin|end)_scope$|__$"
)

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

#: What to say about a name whose whole library has no counterpart.
ADVICE = {
    "nvml": "rocm_smi and amd_smi do this with other names",
    "cupti": "rocprofiler-sdk does this with other names",
    "dnn": "MIOpen differs in arguments",
    "nvtx": "roctx has no such call: it takes plain messages only",
    "wmma": "rocWMMA has namespace rocwmma; compare the fragments and the wave size",
}

#: Which table a CUDA header's names go to: the file's name, what its public names look like, the table.
_LIBRARIES: tuple[tuple[str, str, str], ...] = (
    (r"cuda\.h|cuda(GL|EGL|VDPAU|Profiler)\.h", r"CU|cu[A-Z]", "driver"),
    (r"nvrtc\.h", r"nvrtc|NVRTC", "rtc"),
    (r"cublasLt\.h", r"cublasLt|CUBLASLT", "blaslt"),
    (r"(cublas\w*|nvblas)\.h", r"cublas|CUBLAS", "blas"),
    (r"cu(sparse|sparse_v2)\.h", r"cusparse|CUSPARSE|csr|bsr|prune", "sparse"),
    (r"cusolver\w*\.h", r"cusolver|CUSOLVER", "solver"),
    (r"cufft\w*\.h|cudalibxt\.h", r"cufft|CUFFT|cudaXt|cudaLibXt|CUDA_XT|LIB_|CUFFT", "fft"),
    (r"curand\w*\.h", r"curand|CURAND|rand_|make_curand|skipahead", "rand"),
    (r"cudnn\w*\.h", r"cudnn|CUDNN", "dnn"),
    (r"nccl\.h", r"nccl|NCCL", "nccl"),
    (
        r"nvToolsExt\w*\.h|nvtx\w*\.h",
        r"nvtx[A-Z]|NVTX_(COLOR|MESSAGE|PAYLOAD_TYPE|VERSION|EVENT|RESOURCE_TYPE)",
        "nvtx",
    ),
    (r"nvml\.h", r"nvml|NVML", "nvml"),
    (r"cupti\w*\.h", r"cupti|CUPTI_|CUpti", "cupti"),
    (r"cuComplex\.h", r"cu[A-Z]|make_cu", "complex"),
    (r"cuda_(fp16|bf16|fp8|fp6|fp4)\.hp?p?", r"__h|__nv_|nv_|half|__\w+2(half|bfloat)|h[a-z]|__", "low_precision"),
    (r"mma\.h", r"nvcuda", "wmma"),
    (
        r"cooperative_groups\w*\.h|\w*(coalesced|reduce|scan|async|helpers|partition)\w*\.h",
        "cooperative_groups",
        "cooperative_groups",
    ),
    (r"math_constants\.h", r"CUDART_", "device"),
    (r"vector_(types|functions)\.hp?p?", r"(make_)?[a-z]+\d(_\d\da)?$|dim3", "device"),
    (
        r"sm_\d\w+\.hp?p?|device_\w*functions\.hp?p?|math_functions\.hp?p?",
        r"__|atomic\w|norm|rnorm|cyl|erfc|normcdf",
        "device",
    ),
    (r"device_types\.h", r"cudaRound", "device"),
    (r"cuda_(pipeline|awbarrier)\w*\.h", r"__pipeline|__mbarrier", "device"),
    (
        r"cuda\w*\.h|driver_types\.h|library_types\.h|(texture|surface)_types\.h|channel_descriptor\.h",
        r"cuda|CUDA_R_|CUDA_C_|CUDA|libraryP",
        "runtime",
    ),
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


def library_of(path: str, name: str) -> str | None:
    """Name the table for what a CUDA header declares; None for what is no public name of a known library."""
    file = path.rpartition("/")[2]
    if _INTERNAL.search(name) and not _is_intrinsic(file, name):
        return None
    if re.search(
        r"::(_|detail|internal|helper|impl)|impl_|_fntype$|^nvtx(Globals|Eti|SetInit)|^nvtx\w*_v3$|_simpl_", name
    ):
        return None
    for pattern, public, library in _LIBRARIES:
        if re.fullmatch(pattern, file):
            return library if re.match(public, name) else None
    return None


def kind_in(library: str, kind: Kind, versioned: Kind | None) -> Kind:
    """Correct a kind: a macro for a versioned function is a function, one of a device header runs on the device."""
    if kind is Kind.MACRO and versioned is Kind.FUNCTION:
        kind = Kind.FUNCTION
    if kind is Kind.FUNCTION and library in ("device", "low_precision", "wmma", "cooperative_groups"):
        return Kind.DEVICE_FUNCTION
    return Kind.TYPE if kind is Kind.BUILTIN else kind


def _is_intrinsic(file: str, name: str) -> bool:
    if not re.match(r"sm_|device_|math_functions|cuda_(fp|bf|pipeline|awbarrier)", file):
        return False
    internal = r"^__(internal|cuda|local|nv_(?!bf|fp|cvt|satur|half)|[a-z]+\d*Atomic|uni_)"
    internal += r"|_impl$|__$|enable_if|_internal$|_simpl_"
    return re.fullmatch(r"__[a-z]\w+", name) is not None and not re.search(internal, name)
