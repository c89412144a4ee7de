"""Strings that decide what runs, and strings that are only words."""

from __future__ import annotations

import pytest

from hipify_py.engine import translate
from hipify_py.lexer import lex
from hipify_py.literals import literals
from hipify_py.settings import Settings

PLAIN = Settings(verify=False, semantics=False)
PRELUDE = "#include <hip/hip_runtime.h>\n"
KERNEL = "__global__ void k(int *p) { p[threadIdx.x] = 1; }"


def run(source: str, settings: Settings = PLAIN) -> tuple[str, list[str]]:
    """The translated text, and the codes of the diagnostics, by place."""
    result = translate((PRELUDE + source).encode(), filename="a.cu", settings=settings)
    return result.text.decode().removeprefix(PRELUDE), [each.code for each in result.diagnostics]


CREATE = "void f() { nvrtcCreateProgram(&p, %s, n, 0, h, i); }"


@pytest.mark.parametrize("source", [
    CREATE % f'"{KERNEL}"',
    CREATE % f'R"({KERNEL})"',
    f'static const char *src = R"x({KERNEL})x";\n' + CREATE % "src",
    f'const std::string src("{KERNEL}");\n' + CREATE % "src.c_str()",
    f'#define SRC "{KERNEL}"\n' + CREATE % "SRC",
    f'const char *src[] = {{"{KERNEL}"}};\n' + CREATE % "src[0]",
    f'void g(const char *text) {{ nvrtcCreateProgram(&p, text, n, 0, h, i); }}\nvoid f() {{ g("{KERNEL}"); }}',
    f'const char *src; void f() {{ src = "{KERNEL}"; nvrtcCreateProgram(&p, src, n, 0, h, i); }}',
])
def test_kernel_source_is_translated(source: str) -> None:
    after = source.replace("threadIdx.x", "hipThreadIdx_x").replace("nvrtc", "hiprtc")
    assert run(source) == (after, [])
    assert run(after) == (after, [])


def test_escapes_and_pieces_stay() -> None:
    source = CREATE % r'"// \"cudaFree\"\n__global__ void k() {\n" /* two */ "\tint i = threadIdx.x;\n}\n"'
    after = source.replace("threadIdx.x", "hipThreadIdx_x").replace("nvrtc", "hiprtc")
    assert run(source) == (after, [])


def test_an_include_in_a_string() -> None:
    source = CREATE % f'R"(#include <cuda_fp16.h>\n{KERNEL})"'
    assert "#include <hip/hip_fp16.h>\n__global__" in run(source)[0]
    assert "hip_runtime.h" not in run(source)[0]


def test_a_name_over_two_pieces_is_reported() -> None:
    assert run(CREATE % '"__global__ void k() { int i = thread" "Idx.x; }"')[1] == ["HPY107"]


def test_source_that_goes_nowhere_is_reported() -> None:
    source = f'const char *src = "{KERNEL}";'
    assert run(source) == (source, ["HPY107"])
    unsafe = Settings(verify=False, semantics=False, unsafe_fixes=True)
    assert run(source, unsafe)[0] == source.replace("threadIdx.x", "hipThreadIdx_x")


@pytest.mark.parametrize("source", [
    'puts("cudaMalloc failed");',
    'printf("libcudart.so");',
    'std::cerr << "cudaMalloc" << x;',
    'check(e, "cudaMalloc");',
    'throw std::runtime_error("nvcc is needed to build this");',
    'puts("nvcc -O3 k.cu"); system("ls");',
    'std::string command = "nvcc -O3 " + name;',
    'throw std::runtime_error("kernel.ptx");',
    'const char *usage = "mark it __global__ and use threadIdx";',
    '#include "cuda.ptx"\n',
    '#error "cudaMalloc"\n',
    'void *l = dlopen("libmine.so", 1); void *f = dlsym(l, "mine");',
    'f("sm_80");',
    'f("/home/me/cuda/include");',
    'puts("/usr/local/cuda was not found");',
    'getenv("CUDA_VISIBLE_DEVICES");',
    'puts("nvidia-smi shows it");',
    'find("nvcc");',
    'system("nvccx");',
    "char c = '\"'; // \"libcudart.so\"\n",
])
def test_words_stay_in_silence(source: str) -> None:
    assert run(source) == (source, [])


@pytest.mark.parametrize(("source", "new"), [
    ('dlopen("libcudart.so", 1);', "libamdhip64.so"),
    ('dlopen("/usr/lib/libcublas.so.11", 1);', "/usr/lib/libhipblas.so"),
    ('LoadLibraryA("nvcuda.dll");', None),
    ('LoadLibraryA("cudart64_110.dll");', None),
    ('const char *names[] = {"libnvrtc.so.12"};', "libhiprtc.so"),
    ('f = dlsym(l, "cudaGetDeviceCount");', "hipGetDeviceCount"),
    ('struct { const char *n; } t[] = {{"cuInit"}}; void g() { dlsym(l, t[0].n); }', "hipInit"),
    ('load(&m, "kernels/scale.ptx");', None),
    ('std::string path = "scale.cubin";', None),
    ('getenv("CUDA_LAUNCH_BLOCKING");', None),
    ('getenv("CUDA_PATH");', None),
    ('std::system("nvcc -ptx -arch=sm_70 -o k.ptx k.cu");', None),
    ('std::string command = "/opt/cuda/bin/nvcc " + options; std::system(command.c_str());', None),
    ('system("nvidia-smi -q");', None),
    ('FILE *f = popen("/usr/local/cuda/bin/nvcc -ptx k.cu", "r");', None),
    ('dlopen("libnvJitLink.so.12", 1);', None),
    ('dlopen("libcutensor.so.2", 1);', "libhiptensor.so"),
    ('auto p = "/usr/local/cuda-" + version;', None),
    ('std::string root = "/usr/local/cuda";', None),
    ('const char *o[] = {"-I/usr/local/cuda-12.4/include"};', None),
    ('const char *o[] = {"-arch=sm_70"}; nvrtcCompileProgram;', None),
])
def test_names_are_reported(source: str, new: str | None) -> None:
    text, codes = run(source)
    assert text == source.replace("nvrtcC", "hiprtcC")
    assert codes == ["HPY106"]
    if new is not None:
        unsafe = Settings(verify=False, semantics=False, unsafe_fixes=True)
        assert f'"{new}"' in run(source, unsafe)[0]


def test_ptx_is_reported() -> None:
    assert run('const char *p = ".version 7.0\\n.target sm_70\\n";')[1] == ["HPY107"]
    assert run('asm("mov.u32 %0, %laneid;" : "=r"(x));')[1].count("HPY107") == 0


def test_every_byte_of_a_literal_has_its_place() -> None:
    data = rb'x = u8"a\n\"b\x41\101" /* c */ R"q(raw " text)q" L"\u0042";'
    [literal] = literals(lex(data))
    assert literal.value == b'a\n"bAAraw " textB'
    for index in range(len(literal.value)):
        piece = data[literal.starts[index] : literal.ends[index]]
        assert piece == literal.value[index : index + 1] or piece.startswith(b"\\")
    assert literal.source_range(0, 3) == (data.index(b"a"), data.index(b'\\"') + 2)
    assert literal.source_range(5, 8) is None
