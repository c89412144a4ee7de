"""The libraries of the tables by the names that people call them."""

from __future__ import annotations

from typing import NamedTuple


class Library(NamedTuple):
    """One table.

    Args:
        table: Its name, that of its file.
        cuda: What NVIDIA calls the library.
        hip: What the HIP side calls it; empty where there is none.
        roc: ROCm's own library below the portable one; empty where there is none.
    """

    table: str
    cuda: str
    hip: str
    roc: str = ""


LIBRARIES = (
    Library("runtime", "CUDA runtime", "HIP"),
    Library("driver", "CUDA driver", "HIP"),
    Library("rtc", "NVRTC", "HIPRTC"),
    Library("device", "CUDA device functions", "HIP"),
    Library("low_precision", "cuda_fp16, cuda_bf16, cuda_fp8", "HIP"),
    Library("complex", "cuComplex", "hip_complex"),
    Library("cooperative_groups", "cooperative groups", "HIP"),
    Library("blas", "cuBLAS", "hipBLAS", "rocBLAS"),
    Library("blaslt", "cuBLASLt", "hipBLASLt"),
    Library("fft", "cuFFT", "hipFFT", "rocFFT"),
    Library("rand", "cuRAND", "hipRAND", "rocRAND"),
    Library("sparse", "cuSPARSE", "hipSPARSE", "rocSPARSE"),
    Library("solver", "cuSOLVER", "hipSOLVER", "rocSOLVER"),
    Library("dnn", "cuDNN", "", "MIOpen"),
    Library("nccl", "NCCL", "RCCL"),
    Library("nvtx", "NVTX", "roctx"),
    Library("thrust", "Thrust", "rocThrust"),
    Library("cub", "CUB", "hipCUB"),
    Library("libcudacxx", "libcu++", ""),
    Library("libdevice", "libdevice", ""),
    Library("wmma", "WMMA", "rocWMMA"),
    Library("nvml", "NVML", "", "rocm_smi"),
    Library("cupti", "CUPTI", ""),
)


def library(name: str) -> Library | None:
    """Find a library by its table's name, or by what either side calls it, in any case; None if there is none."""
    wanted = _plain(name)
    return next((each for each in LIBRARIES
                 if wanted in {_plain(word) for word in (each.table, each.cuda, each.hip, each.roc) if word} - {"hip"}), None)


def _plain(name: str) -> str:
    return "".join(letter for letter in name.casefold() if letter.isalnum() or letter == "+")
