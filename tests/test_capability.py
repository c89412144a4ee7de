"""Which compute capability a GPU counts as in a chain of branches: 7.0, or the first that is not only refused."""

from __future__ import annotations

import shutil
import subprocess

import pytest

from tests.rewrites import codes, hip, run

#: A function, and which of its words HIP's device pass compiles.
CHOSEN = [
    ("#if __CUDA_ARCH__ < 800\nassert(false);\n#else\nwork();\n#endif", "work"),
    ("#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 800\nassert(false);\n#else\nwork();\n#endif\nmore();", "work"),
    ("#if defined(__CUDA_ARCH__) && (__CUDA_ARCH__ < 800)\nassert(0 && \"sm_80\"); return 0;\n#else\nwork();\n#endif",
     "work"),
    ("#if __CUDA_ARCH__ >= 800\nwork();\n#else\n__trap();\n#endif", "work"),
    ("#if __CUDA_ARCH__ >= 900\nnewer();\n#elif __CUDA_ARCH__ >= 800\nwork();\n#else\nprintf(\"no\\n\");\n#endif", "work"),
    ("#if __CUDA_ARCH__ >= 900\nasm(\"x;\");\n#elif __CUDA_ARCH__ >= 800\nwork();\n#else\n#error \"old\"\n#endif", "work"),
    ("#if __CUDA_ARCH__ >= 800\nwork();\n#endif", "work"),
    ("#if __CUDA_ARCH__ >= 800\nwork();\n#else\nFLASH_UNSUPPORTED_ARCH(1);\n#endif", "work"),
    ("#if __CUDA_ARCH__ >= 800\nwork();\n#else\nasm volatile(\"trap;\");\n#endif", "work"),
    # No refusal, or nothing better.
    ("#if __CUDA_ARCH__ >= 800\nnewer();\n#else\nwork();\n#endif", "work"),
    ("#if __CUDA_ARCH__ >= 800\nnewer();\n#else\nassert(x > 0); work();\n#endif", "work"),
    ("#if __CUDA_ARCH__ >= 800\nnewer();\n#endif\nwork();", "work"),
    ("#if __CUDA_ARCH__ >= 800 && FAST\nnewer();\n#else\nassert(false); work\n#endif", "work"),
    ("#if __CUDA_ARCH__ >= 800\nasm(\"cp.async;\"); newer();\n#else\n__trap();\n#endif", "abort"),
    ("#if __CUDA_ARCH__ >= 900\nnewer(cudaGridDependencySynchronize());\n#endif\nwork();", "work"),
    ("#if __CUDA_ARCH__ >= 800\n#define newer 1\n#else\n#error \"work\"\n#endif", "error"),
]


@pytest.mark.parametrize(("body", "word"), CHOSEN)
def test_what_the_device_compiles(body: str, word: str) -> None:
    cpp = shutil.which("cpp")
    if cpp is None:
        pytest.skip("no C preprocessor was found")
    text = hip(f"__device__ int f(int x) {{\n{body}\n}}\n", semantics=False)
    command = [cpp, "-P", "-undef", "-D__HIPCC__=1", "-D__HIP__=1", "-D__HIP_DEVICE_COMPILE__=1"]
    lines = "\n".join(line for line in text.splitlines() if not line.startswith("#include"))
    result = subprocess.run(command, input=lines, capture_output=True, text=True, check=False)
    assert word in result.stdout + result.stderr
    assert "newer" not in result.stdout


def test_it_is_told() -> None:
    source = "__device__ int f() {\n#if __CUDA_ARCH__ < 800\n  assert(false);\n#else\n  return 1;\n#endif\n}\n"
    said = [each for each in run(source).diagnostics if each.code == "HPY112"]
    assert len(said) == 1
    assert "counts as compute capability 8.0 here" in said[0].message
    assert "taken out of the test" in said[0].message
    text = hip(source)
    assert hip(text) == text
    assert codes(run(text)) == []
