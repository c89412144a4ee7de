"""What was translated compiles: with hipcc, for gfx90a, host and device side."""

from __future__ import annotations

import pytest

import hipify_py

pytestmark = pytest.mark.toolchain


def test_kernel_compiles(kernel, compile_hip) -> None:
    translation = hipify_py.translate(kernel.read_bytes(), filename=str(kernel))
    compile_hip(translation.text, flags=[f"-I{kernel.parent}"])


def test_golden_compiles(golden_case, request) -> None:
    if not golden_case.compiles:
        pytest.skip("marked `// golden: no-compile`")
    # Asked for by name: a case that needs the current hipcc must not be skipped for want of the other one.
    compiler = request.getfixturevalue("compile_hip_current" if golden_case.newer_hip else "compile_hip")
    compiler(golden_case.hip)


def test_what_cannot_compile_is_refused(compile_hip) -> None:
    with pytest.raises(AssertionError, match="undeclared_name"):
        compile_hip(b"#include <hip/hip_runtime.h>\n__global__ void k(int *p) { *p = undeclared_name; }\n")


def test_the_device_side_is_compiled(compile_hip) -> None:
    with pytest.raises(AssertionError, match="invalid instruction"):
        compile_hip(b'#include <hip/hip_runtime.h>\n__global__ void k() { asm("no_such_instruction"); }\n')
