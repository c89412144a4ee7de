"""The sources that are measured, made from the repository's kernels, the same bytes each time."""

from __future__ import annotations

import re
from pathlib import Path

from hipify_py.lexer import lex
from hipify_py.mapping import MappingTable
from hipify_py.names import looks_like_cuda

KERNELS = Path(__file__).resolve().parent.parent / "kernels"
#: What hosts call beside the kernels' own calls, so that a file has fifty different names.
CALLS = (
    b"cudaDeviceSynchronize()", b"cudaSetDevice(0)", b"cudaDeviceReset()", b"cudaStreamSynchronize(stream)",
    b"cudaEventSynchronize(event)", b"cudaMemGetInfo(&a, &b)", b"cudaGetDevice(&device)", b"cudaGetDeviceCount(&device)",
    b"cudaFreeHost(host)", b"cudaMallocHost((void **)&host, n)", b"cudaStreamWaitEvent(stream, event, 0)",
    b"cudaMemsetAsync(host, 0, n, stream)", b"cudaEventQuery(event)", b"cudaStreamQuery(stream)",
    b"cudaHostRegister(host, n, cudaHostRegisterDefault)", b"cudaHostUnregister(host)",
    b"cudaDeviceSetLimit(cudaLimitMallocHeapSize, n)", b"cudaMallocManaged((void **)&host, n)",
    b"cudaDeviceSetCacheConfig(cudaFuncCachePreferL1)", b"cudaMemcpyPeer(host, 0, host, 1, n)",
    b"cudaDeviceGetAttribute(&device, cudaDevAttrWarpSize, 0)", b"cudaPeekAtLastError()")


def source(lines: int = 500) -> bytes:
    """A file of about this many lines in the manner of the kernels: kernels, launchers, comments."""
    texts = [path.read_bytes() for path in sorted(KERNELS.glob("*/kernel.cu"))]
    include = re.compile(rb"^#include.*\n", re.MULTILINE)
    includes = sorted({line for text in texts for line in include.findall(text)})
    calls = b"".join(b"    check(%s);\n" % call for call in CALLS)
    parts = [b"".join(includes), b"\nvoid check(cudaError_t status);\n\nvoid calls(cudaStream_t stream, cudaEvent_t event, "
             b"void *host, size_t n) {\n    size_t a, b;\n    int device;\n", calls, b"}\n\n"]
    count = sum(part.count(b"\n") for part in parts)
    for number in range(10 * len(texts)):
        body = include.sub(b"", texts[number % len(texts)])
        if number >= len(texts):
            body = b"namespace copy_%d {\n%s}\n" % (number // len(texts), body)
        length = body.count(b"\n")
        if count + length > lines and number:
            continue
        parts.append(body)
        count += length
    return b"".join(parts)


def names(data: bytes) -> tuple[int, int]:
    """How many different CUDA names a source has, and how many uses of them."""
    table = MappingTable.load()
    tokens = lex(data)
    used = [tokens.name(index) for index in tokens.identifiers()]
    used = [name for name in used if name in table or looks_like_cuda(name)]
    return len(set(used)), len(used)


def large(megabytes: float) -> bytes:
    """The 500-line file again and again, each time in a namespace of its own."""
    head, _, body = source().partition(b"\nvoid check")
    body = b"\nvoid check" + body
    size = round(megabytes * 1_000_000)
    copies = -(-size // (len(body) + 30))
    return head + b"".join(b"namespace n%06d {\n%s}\n" % (number, body) for number in range(copies))
