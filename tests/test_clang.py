"""What libclang is asked, with as many places where the answer is no: tests for hipify_py.clang."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from hipify_py.clang import Function, NoSemantics, Origin, Semantics, flags, guard, headers, library, stubs, verify
from hipify_py.clang.flags import Dialect, Side
from hipify_py.diagnostics import Edit, Severity
from hipify_py.directives import Directives
from hipify_py.edits import EditSet
from hipify_py.engine import translate
from hipify_py.lexer import TokenKind, lex
from hipify_py.mapping import MappingTable
from hipify_py.settings import Settings
from hipify_py.source import SourceFile
from hipify_py.unit import TranslationUnit

HEAD = "#include <cuda_runtime.h>\n"
KERNEL = HEAD + "__global__ void kernel(float *p, int n) { p[threadIdx.x] = n; }\n"


def make(text: str | bytes, name: str = "source.cu", **settings: object) -> TranslationUnit:
    data = text.encode() if isinstance(text, str) else text
    return TranslationUnit(SourceFile(name, data), Settings(**settings), MappingTable.load())  # type: ignore[arg-type]


def place(unit: TranslationUnit, name: str, number: int = -1) -> int:
    """The token of a name: its last one, or the one of this number."""
    return [index for index in unit.tokens.identifiers() if unit.tokens.name(index) == name.encode()][number]


def span(unit: TranslationUnit, expression: str) -> tuple[int, int]:
    """The tokens of the last occurrence of an expression."""
    start = unit.data.rindex(expression.encode())
    return unit.tokens.index_at(start), unit.tokens.index_at(start + len(expression) - 1) + 1


def test_a_status_of_the_driver_is_a_number_in_c() -> None:
    source = (b"#include <cuda.h>\n#include <cuda_runtime_api.h>\nint f(cudaError_t e) { CUdevice d; cuDeviceGet(&d, 0); "
              b"switch (e) { case cudaSuccess: return 1; default: return 0; } }\n")
    assert not translate(source, filename="source.c", settings=Settings()).diagnostics


class TestOrigin:
    """A name is CUDA's, the person's, or nobody knows."""

    @pytest.mark.parametrize(("text", "name"), [
        ("int main() { float *p; cudaMalloc(&p, 4); }", "cudaMalloc"),
        ("int main() { float *p; cudaMalloc((void **)&p, 4); }", "cudaMalloc"),
        ("int main() { ::cudaFree(0); }", "cudaFree"),
        ("int main() { cudaStream_t s; cudaStreamCreate(&s); }", "cudaStream_t"),
        ("int main() { cudaStream_t s; cudaStreamCreate(&s); }", "cudaStreamCreate"),
        ("int f(cudaError_t e) { return e != cudaSuccess; }", "cudaSuccess"),
        ("int f(cudaError_t e) { switch (e) { case cudaSuccess: return 1; default: return 0; } }", "cudaSuccess"),
        ("const char *f(cudaError_t e) { return cudaGetErrorString(e); }", "cudaGetErrorString"),
        ("#define CHECK(x) if ((x) != cudaSuccess) throw 1\nint main() { CHECK(cudaFree(0)); }", "cudaFree"),
        ("__global__ void k(int *p) { p[threadIdx.x] = 0; }", "threadIdx"),
        ("__device__ int f(int v) { return __shfl_down_sync(~0u, v, 1); }", "__shfl_down_sync"),
        ("__device__ float f(float v) { return __expf(v); }", "__expf"),
        ("__device__ void f(float *p) { atomicAdd(p, 1.0f); }", "atomicAdd"),
        ("int f() { cudaDeviceProp p; cudaGetDeviceProperties(&p, 0); return p.multiProcessorCount; }", "cudaDeviceProp"),
        ("struct cudaDeviceProp p;", "cudaDeviceProp"),
        ("void f(enum cudaMemcpyKind kind); void g() { f(cudaMemcpyHostToDevice); }", "cudaMemcpyKind"),
        ("void f(enum cudaMemcpyKind kind); void g() { f(cudaMemcpyHostToDevice); }", "cudaMemcpyHostToDevice"),
        ("template <class T> void f(T *p) { cudaMemset(p, 0, sizeof(T)); }", "cudaMemset"),
        ('extern "C" cudaError_t cudaMalloc(void **p, size_t n) { return cudaSuccess; }', "cudaMalloc"),
        ("cudaError_t cudaMalloc(void **p, size_t n);\nvoid f(void **p) { cudaMalloc(p, 1); }", "cudaMalloc"),
        ("typedef struct CUstream_st *cudaStream_t;", "cudaStream_t"),
        ("using stream = cudaStream_t;", "cudaStream_t"),
        ("namespace mine { void f() { cudaFree(0); } }", "cudaFree"),
        ("auto f = [](void *p) { cudaFree(p); };", "cudaFree"),
        ("#include <vector>\nvoid f(std::vector<int> &v, int *p) { cudaMemcpy(p, v.data(), v.size(), cudaMemcpyDefault); }",
         "cudaMemcpy"),
        ("void f(int *__restrict__ p);", "__restrict__"),
        ("void f(int n) { cublasHandle_t h; cublasCreate(&h); }", "cublasCreate"),
        ('#include "not/there.h"\nvoid f(Unknown u) { cudaFree(u); }', "cudaFree"),
        ("void f() { cudaFree(undeclared); }", "cudaFree"),
    ])
    def test_cuda(self, text: str, name: str) -> None:
        unit = make(HEAD + text)
        assert unit.semantics.origin(place(unit, name)) is Origin.CUDA

    @pytest.mark.parametrize(("text", "name"), [
        ("void f() { int cudaStream = 1; g(cudaStream); }", "cudaStream"),
        ("void f() { int cudaSuccess = 1; int b = cudaSuccess; }", "cudaSuccess"),
        ("struct S { int cudaSuccess; }; int f(S s) { return s.cudaSuccess; }", "cudaSuccess"),
        ("struct S { int cudaSuccess; }; int f(S *s) { return s->cudaSuccess; }", "cudaSuccess"),
        ("struct S { void cudaFree(); void f() { cudaFree(); } };", "cudaFree"),
        ("struct S { static void cudaFree(); }; void f() { S::cudaFree(); }", "cudaFree"),
        ("namespace mine { void cudaFree(void *); } void f() { mine::cudaFree(0); }", "cudaFree"),
        ("namespace mine { void cudaFree(void *p); void f(int *p) { mine::cudaFree(p); } }", "cudaFree"),
        ("__global__ void k(int *p, int threadIdx) { p[threadIdx] = 0; }", "threadIdx"),
        ("__global__ void k(int *p) { int blockIdx = 0; p[blockIdx] = 0; }", "blockIdx"),
        ("#define cudaCheck(x) (x)\nvoid f() { cudaCheck(1); }", "cudaCheck"),
        ("void cudaCheck(int); void f() { cudaCheck(1); }", "cudaCheck"),
        ("enum class E { cudaSuccess }; E f() { return E::cudaSuccess; }", "cudaSuccess"),
        ("template <class dim3> dim3 f(dim3 v) { return v; }", "dim3"),
        ("int f(int warpSize) { return warpSize; }", "warpSize"),
        ("auto f = [](int cudaEvent) { return cudaEvent; };", "cudaEvent"),
        ("#include <algorithm>\nint f() { return std::max(1, 2); }", "max"),
        ("struct S { int x; }; void f() { S half = {1}; half.x = 2; }", "half"),
        # the statement has no tree, the declaration in its scope decides
        ("void f() { int cudaStream = 1; nobody.knows(cudaStream + ; }", "cudaStream"),
        ("void f(int cudaStream) { nobody.knows(cudaStream + ; }", "cudaStream"),
    ])
    def test_user(self, text: str, name: str) -> None:
        unit = make(HEAD + text)
        assert unit.semantics.origin(place(unit, name)) is Origin.USER

    @pytest.mark.parametrize(("text", "name"), [
        ("#define F(p) cudaFree(p)", "cudaFree"),
        ("#if 0\nvoid f() { cudaFree(0); }\n#endif", "cudaFree"),
        ("// cudaFree\nvoid f() { cudaNotInAnyTable(0); }", "cudaNotInAnyTable"),
        ("void f() { { int cudaFree = 1; } }\n#define F cudaFree", "cudaFree"),
    ])
    def test_silent(self, text: str, name: str) -> None:
        unit = make(HEAD + text)
        assert unit.semantics.origin(place(unit, name)) is Origin.SILENT

    def test_a_declaration_is_its_owners(self) -> None:
        unit = make(HEAD + "struct S { int cudaSuccess; }; void f() { int cudaStream; } cudaError_t g();")
        assert unit.semantics.origin(place(unit, "cudaSuccess")) is Origin.USER
        assert unit.semantics.origin(place(unit, "cudaStream")) is Origin.USER
        assert unit.semantics.origin(place(unit, "cudaError_t")) is Origin.CUDA

    def test_headers_beside_the_source(self, tmp_path: Path) -> None:
        (tmp_path / "own.cuh").write_bytes(b'#pragma once\n#include "more.h"\n'
                                           b'namespace own { inline void cudaFree(cudaStream_t) {} }\n')
        (tmp_path / "more.h").write_bytes("// caf\u00e9\nstruct Pool { int cudaSuccess; };\n".encode("latin-1"))
        unit = make('#include "own.cuh"\nvoid f(Pool p) { own::cudaFree(0); p.cudaSuccess = 1; cudaDeviceReset(); }',
                    str(tmp_path / "source.cu"))
        assert unit.semantics.origin(place(unit, "cudaFree")) is Origin.USER
        assert unit.semantics.origin(place(unit, "cudaSuccess")) is Origin.USER
        assert unit.semantics.origin(place(unit, "cudaDeviceReset")) is Origin.CUDA
        assert unit.semantics.errors == ()

    def test_include_dirs_and_defines(self, tmp_path: Path) -> None:
        (tmp_path / "own.h").write_bytes(b"inline int cudaOwn(int v) { return v; }\n")
        unit = make('#include "own.h"\n#ifdef ON\nint f() { return cudaOwn(N); }\n#endif', include_dirs=(str(tmp_path),),
                    defines=("ON", "N=3"))
        assert unit.semantics.origin(place(unit, "cudaOwn")) is Origin.USER
        assert unit.semantics.skipped == ()

    def test_plain_c(self) -> None:
        text = ("#include <cuda_runtime.h>\n#include <stdlib.h>\nint main(void) { int class = 1; float *p; int cudaStream = 0; "
                "struct cudaDeviceProp prop; enum cudaMemcpyKind kind = cudaMemcpyHostToDevice; cudaError_t e = "
                "cudaMalloc((void **)&p, 4); free(p); return e == cudaSuccess && cudaStream; }")
        unit = make(text, "source.c")
        assert unit.semantics.errors == ()
        for name in ("cudaMalloc", "cudaSuccess", "cudaDeviceProp", "cudaMemcpyKind", "cudaError_t"):
            assert unit.semantics.origin(place(unit, name)) is Origin.CUDA, name
        assert unit.semantics.origin(place(unit, "cudaStream")) is Origin.USER


class TestDeviceCode:
    TEXT = HEAD + """
    __global__ void kernel(int *p) { int in_kernel; if (p) { int in_block; } }
    __device__ int helper() { int in_helper; return 0; }
    __host__ __device__ int both() { int in_both; return 0; }
    template <class T> __global__ void generic(T *p) { T in_template; }
    struct S { __device__ void method() { int in_method; } void host_method() { int in_host_method; } };
    int main() { int in_main; auto f = [=] __device__ (int i) { int in_lambda; }; auto g = [](int i) { int in_host_lambda; }; }
    template <class T> void host_generic(T *p) { T in_host_template; }
    __host__ void explicit_host() { int in_explicit_host; }
    __device__ int at_file_scope;
    __global__ void broken() { nobody knows in_broken + ; }
    """

    @pytest.mark.parametrize(("name", "expected"), [
        ("in_kernel", True), ("in_block", True), ("in_helper", True), ("in_both", True), ("in_template", True),
        ("in_method", True), ("in_lambda", True), ("in_broken", True),
        ("in_main", False), ("in_host_method", False), ("in_host_lambda", False), ("in_host_template", False),
        ("in_explicit_host", False), ("at_file_scope", None)])
    def test_where_a_name_stands(self, name: str, expected: bool | None) -> None:
        unit = make(self.TEXT)
        assert unit.semantics.is_device_code(place(unit, name)) is expected


class TestTypes:
    TEXT = HEAD + """#include <vector>
    struct S { float *p; long n; };
    template <class T> void g(T t) { t; }
    void f(S s, float *p, int n, const double &d, cudaStream_t st, cudaError_t e, std::vector<int> v, dim3 grid) {
      use(p + n, s.p, s.n * 2, p[n], d, st, e, v, (void *)p, grid.x, &n, unknown + 1);
    }"""

    @pytest.mark.parametrize(("expression", "expected"), [
        ("p + n", "float *"), ("s.p", "float *"), ("s.n * 2", "long"), ("p[n]", "float"), ("(void *)p", "void *"),
        ("grid.x", "unsigned int"), ("&n", "int *"), ("unknown + 1", None), ("use(p", None)])
    def test_expressions(self, expression: str, expected: str | None) -> None:
        unit = make(self.TEXT)
        assert unit.semantics.type_of(*span(unit, expression)) == expected

    @pytest.mark.parametrize(("name", "expected"), [
        ("d", "double"), ("st", "cudaStream_t"), ("e", "cudaError"), ("v", "std::vector<int>"), ("t", None)])
    def test_names(self, name: str, expected: str | None) -> None:
        unit = make(self.TEXT)
        index = place(unit, name)
        found = unit.semantics.type_of(index, index + 1)
        assert (found or "").removeprefix("const ") == (expected or "")


class TestKernels:
    TEXT = HEAD + """
    __global__ void plain(float *p, int n) {}
    template <class T, int N> __global__ void generic(T *p) {}
    __global__ void twice(int a) {}
    __global__ void twice(float a, int b) {}
    __device__ void helper(int a, int b, int c) {}
    void host() {}
    void (*pointer)(float *, int) = plain;
    int main() {
      float *p;
      plain<<<1, 2>>>(p, 3); generic<float, 4><<<1, 2>>>(p); twice<<<1, 2>>>(1); helper(1, 2, 3); host(); pointer<<<1, 2>>>(p, 1);
      int value = 0; value++; unknown<<<1, 2>>>(3);
    }"""

    @pytest.mark.parametrize(("name", "expected"), [
        ("plain", Function("plain", True, False, 2, False)),
        ("generic", Function("generic", True, True, 1, False)),
        ("twice", Function("twice", True, False, 1, True)),
        ("helper", Function("helper", False, False, 3, False)),
        ("host", Function("host", False, False, 0, False)),
        ("pointer", None), ("value", None), ("p", None)])
    def test_kernel_of(self, name: str, expected: Function | None) -> None:
        unit = make(self.TEXT)
        assert unit.semantics.kernel_of(place(unit, name)) == expected

    def test_a_launch_without_a_tree(self) -> None:
        unit = make(KERNEL + "void f(Unknown u) { kernel<<<u. , 2>>>(3, 4); }")
        found = unit.semantics.kernel_of(place(unit, "kernel"))
        assert found is not None
        assert (found.is_kernel, found.parameters) == (True, 2)


class TestLiterals:
    NAMES = frozenset((b"nvrtcCreateProgram",))

    @pytest.mark.parametrize(("text", "expected"), [
        ('void f() { nvrtcCreateProgram(&p, "code", 0, 0, 0, 0); }', True),
        ('void f() { const char *s = "code"; nvrtcCreateProgram(&p, s, 0, 0, 0, 0); }', True),
        ('const char s[] = "code"; void f() { nvrtcCreateProgram(&p, s, 0, 0, 0, 0); }', True),
        ('void f() { std::string s("code"); nvrtcCreateProgram(&p, s.c_str(), 0, 0, 0, 0); }', True),
        ('void f() { const char *s = "head" "code"; nvrtcCreateProgram(&p, s, 0, 0, 0, 0); }', True),
        ('void f() { const char *s = R"(code)"; nvrtcCreateProgram(&p, s, 0, 0, 0, 0); }', True),
        ('void f() { puts("code"); }', False),
        ('void f() { const char *s = "code"; puts(s); }', False),
        ('void f() { const char *s = "code"; } void g(const char *s) { nvrtcCreateProgram(&p, s, 0, 0, 0, 0); }', False),
        ('void f() { puts("code"); nvrtcCreateProgram(&p, s, 0, 0, 0, 0); }', False),
        ('void f() { return "code"; }', False)])
    def test_reach(self, text: str, expected: bool) -> None:
        unit = make(f"#include <nvrtc.h>\nnvrtcProgram p;\n{text}")
        kinds = (TokenKind.STRING, TokenKind.RAW_STRING)
        literal = [index for index in range(len(unit.tokens)) if unit.tokens.kind(index) in kinds][-1]
        assert unit.semantics.literal_reaches(literal, self.NAMES) is expected

    def test_no_literal(self) -> None:
        unit = make("int x;")
        assert unit.semantics.literal_reaches(0, self.NAMES) is None


class TestSource:
    def test_skipped(self) -> None:
        unit = make("#if 0\nint a;\n#else\nint b;\n#endif\n#ifdef __CUDACC__\nint c;\n#else\nint d;\n#endif\n")
        skipped = [name for name in ("a", "b", "c", "d")
                   if any(unit.tokens.start(place(unit, name)) in region for region in unit.semantics.skipped)]
        assert skipped == ["a", "d"]

    def test_errors_have_their_place(self) -> None:
        unit = make("int f() { return 1 +; }")
        assert [(problem.offset, problem.message) for problem in unit.semantics.errors] == [(20, "expected expression")]

    @pytest.mark.parametrize("text", ["\ufeffint caf\u00e9; // \u4e2d\nvoid f() { cudaFree(0); }".encode(),
                                      "char s[] = \"\u00e9\"; /* \u00fc */ void f() { cudaFree(0); }".encode("latin-1"),
                                      b"int a;\0 void f() { cudaFree(0); }", b"void f()\r\n{\r\n cudaFree(0);\r\n}\r\n"])
    def test_odd_bytes_keep_their_offsets(self, text: bytes) -> None:
        unit = make(text)
        assert unit.semantics.errors == ()
        assert unit.semantics.origin(place(unit, "cudaFree")) is Origin.CUDA

    def test_nothing_is_missing(self) -> None:
        names = ("cub/cub.cuh", "cooperative_groups.h", "cublas_v2.h", "vector", "x/y.h")
        text = "".join(f"#include <{name}>\n" for name in names)
        assert make(text + '#include "../../far/away.cuh"\nint x;').semantics.errors == ()


class TestWithoutLibclang:
    def test_no_semantics(self) -> None:
        silent = NoSemantics("why")
        assert (silent.origin(3), silent.is_device_code(3), silent.type_of(0, 3), silent.kernel_of(3)) == (
            Origin.SILENT, None, None, None)
        assert (silent.literal_reaches(3, frozenset()), silent.skipped, silent.errors, silent.reason) == (None, (), (), "why")

    def test_a_missing_library_is_told_once(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(library, "load", lambda: library.UnavailableError("libclang cannot be loaded (gone)"))
        result = translate((KERNEL + "int main() { cudaFree(0); }").encode(), filename="source.cu")
        assert b"hipFree(0)" in result.text
        notes = [each for each in result.diagnostics if each.code == "HPY001"]
        assert [(note.severity, "gone" in note.message) for note in notes] == [(Severity.NOTE, True)]

    @pytest.mark.parametrize("content", [None, b"no library"])
    def test_a_broken_library(self, tmp_path: Path, content: bytes | None) -> None:
        path = tmp_path / "libclang.so"
        if content is not None:
            path.write_bytes(content)
        code = "from hipify_py.clang import library; print(repr(library.load()))"
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True,
                              env={"LIBCLANG_LIBRARY_FILE": str(path), "PYTHONPATH": str(Path(__file__).parents[1])})
        assert "UnavailableError" in done.stdout

    def test_import_does_not_load_it(self) -> None:
        code = "import sys, hipify_py.clang; print('clang.cindex' in sys.modules)"
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True,
                              cwd=Path(__file__).parents[1])
        assert done.stdout.strip() == "False"


class TestFlags:
    @pytest.mark.parametrize(("given", "kept"), [
        (["-I", "dir", "-Iother"], ["-Idir", "-Iother"]), (["-DA=1", "-D", "B"], ["-DA=1", "-DB"]),
        (["-isystem", "dir"], ["-isystem", "dir"]), (["--std", "c++14"], ["-std=c++14"]), (["--std=c++14"], ["-std=c++14"]),
        (["-std=c++20"], ["-std=c++20"]), (["-include", "a.h"], ["-include", "a.h"]), (["-fopenmp"], ["-fopenmp"]),
        (["-gencode", "arch=compute_80,code=sm_80"], []), (["-gencode=arch=compute_80,code=sm_80"], []),
        (["-arch=sm_80"], []), (["-arch", "sm_80"], []), (["--expt-relaxed-constexpr", "--use_fast_math", "-rdc=true"], []),
        (["-Xcompiler", "-Wall", "-lineinfo"], []), (["source.cu", "-o", "out", "-c", "-O3", "--unheard-of"], []),
        (["-I"], [])])
    def test_filtered(self, given: list[str], kept: list[str]) -> None:
        assert list(flags.filtered(given)) == kept

    def test_nvcc_flags_do_no_harm(self) -> None:
        unit = make(KERNEL + "void f() { cudaFree(0); }",
                    clang_args=("-gencode", "arch=compute_80,code=sm_80", "-Xcompiler", "-O3"))
        assert unit.semantics.errors == ()
        assert unit.semantics.origin(place(unit, "cudaFree")) is Origin.CUDA


class TestStubs:
    def test_only_what_occurs(self) -> None:
        words = stubs.Words.of([b"cudaMalloc(&p, 4); // cudaFree"])
        text = stubs.cuda_header(words, MappingTable.load(), Dialect.CUDA)
        assert b" cudaMalloc(" in text
        assert b"cudaMemcpy(" not in text

    def test_every_name_of_the_tables_parses(self) -> None:
        table = MappingTable.load()
        loaded = library.load()
        assert isinstance(loaded, library.Library)
        names = b"\n".join(sorted(name for name in table if b"::" not in name))
        words = stubs.Words.of([names])
        stub = stubs.cuda_header(words, table, Dialect.CUDA)
        files = [(f"{headers.FOLDER}/stub.h", stub), (f"{headers.FOLDER}/std.h", stubs.standard_header(words, Dialect.CUDA)),
                 (f"{headers.FOLDER}/guess.h", b"")]
        parsed = loaded.parse("stub.cu", b"int x;", flags.clang_flags(Settings(), Dialect.CUDA, Side.HOST, headers.FOLDER), files)
        assert [str(each) for each in parsed.diagnostics() if each.severity >= 3][:5] == []


def broken(text: str, old: str, new: str) -> list[str]:
    """The messages about a translation in which one edit says something else; and where they point."""
    source = text.encode()
    result = translate(source, filename="source.cu", settings=Settings(verify=False))
    edits = [edit for edit in result.edits if old.encode() in edit.text]
    assert edits, [edit.text for edit in result.edits]
    wrong = Edit(edits[-1].start, edits[-1].end, edits[-1].text.replace(old.encode(), new.encode()), edits[-1].code)
    changed = EditSet([wrong if edit == edits[-1] else edit for edit in result.edits])
    found = verify.new_errors(make(text), changed.apply(source), changed)
    assert all(each.code == "HPY002" and each.severity is Severity.WARNING for each in found)
    return [source[each.range.start : each.range.end].decode() for each in found]


class TestVerify:
    TEXT = KERNEL + "int main() {\n float *p;\n cudaMalloc(&p, 4);\n kernel<<<1, 2>>>(p, 3);\n cudaFree(p);\n return 0;\n}\n"

    @pytest.mark.parametrize(("old", "new"), [
        ("hipFree", "hipFree)"), ("hipFree", "(hipFree"), ("hipFree", "hipFree(p, "), ("hipFree", "+*/hipFree"),
        ("hipMalloc", "hipMalloc(1)"), ("hipFree", "}hipFree"), ("hipFree", "hipFree 3"),
        ("hipThreadIdx_x", "hipThreadIdx_x)"), ("hipLaunchKernelGGL(", "hipLaunchKernelGGL"),
        ("hipLaunchKernelGGL(", "hipLaunchKernelGGL((")])
    def test_a_wrong_edit_is_named(self, old: str, new: str) -> None:
        assert broken(self.TEXT, old, new)

    def test_a_dropped_argument(self) -> None:
        source = self.TEXT.encode()
        start = source.index(b"(p, 3)")
        result = translate(source, filename="source.cu", settings=Settings(verify=False))
        changed = EditSet([*result.edits, Edit(start + 2, start + 5, b"", "HPY201")])
        found = verify.new_errors(make(self.TEXT), changed.apply(source), changed)
        assert len(found) == 1

    @pytest.mark.parametrize("text", [
        TEXT,
        HEAD + "void f(Unknown u) { cudaFree(u.x); cudaMalloc(nobody, ; }",
        HEAD + "#ifdef __CUDA_ARCH__\n#define A 1\n#else\n#define A 2\n#endif\n__global__ void k(int *p) { p[threadIdx.x] = A; }",
        HEAD + "#include <cub/cub.cuh>\n__global__ void k() { typedef cub::BlockReduce<int, 128> R; __shared__ R::TempStorage t; "
               "int s = R(t).Sum(threadIdx.x); }",
        HEAD + "struct cudaDeviceProp p; void f() { cudaGetDeviceProperties(&p, 0); printf(\"%s\", p.name); }",
        HEAD + "void f(enum cudaMemcpyKind k); void g() { f(cudaMemcpyHostToDevice); }",
        HEAD + "#define CALL(name) cuda##name\nvoid f() { CALL(Free)(0); }",
        HEAD + "texture<float, 1> t; void f() { cublasHandle_t h; cublasCreate(&h); cudaStream_t s = 0; "
               "cudaStreamSynchronize(s); }",
        HEAD + "template <class T, int N> __global__ void k(T *p) {}\nvoid f(float *p) { k<float, 3><<<dim3(1, 2), 4>>>(p); }",
        "int main() { return 0; }"])
    def test_no_false_alarm(self, text: str) -> None:
        result = translate(text.encode(), filename="source.cu")
        assert [each.message for each in result.diagnostics if each.code == "HPY002"] == []

    def test_headers_are_taken_as_translated(self, tmp_path: Path) -> None:
        (tmp_path / "own.h").write_bytes(b"#ifdef __CUDACC__\n#define KERNEL __global__\n#else\n#define KERNEL\n#endif\n"
                                         b"KERNEL void k(float4 v);\nstruct S { void f(cudaStream_t s); };\n")
        text = '#include "own.h"\nvoid S::f(cudaStream_t s) { float4 v; k<<<1, 2, 0, s>>>(v); }\n'
        result = translate(text.encode(), filename=str(tmp_path / "source.cu"))
        assert [each.message for each in result.diagnostics if each.code == "HPY002"] == []

    def test_not_asked(self) -> None:
        result = translate(self.TEXT.encode(), filename="source.cu", settings=Settings(semantics=False))
        assert not [each for each in result.diagnostics if each.code in ("HPY001", "HPY002")]


class TestGuard:
    """Hostile sources never reach libclang; those that a machine may well have written do."""

    @pytest.mark.parametrize("text", [
        b"int x = " + b"!" * 20_000 + b"c;", b"int x = 1" + b"+1" * 20_000 + b";", b"int x = " + b"(int)" * 20_000 + b"c;",
        b"void f() { " + b"if (a) ; else " * 20_000 + b"; }", b"void f() { " + b"for (;;) " * 20_000 + b"; }",
        b"template<" * 20_000, b"int x = " + b"(" * 1_000_000, b"int x = f(1" + b", 1" * 20_000 + b");",
        b"{" * 120_000, b"[{(" * 1_000, b"struct a {\n" * 10_000 + b"};\n" * 10_000, b"enum { // }\n" * 600,
        b"#define A(x) (x) + (x)\nint x = " + b"A(" * 100 + b"1" + b")" * 100 + b";",
        b"".join(b"#define M%d M%d M%d\n" % (i, i + 1, i + 1) for i in range(40)) + b"int x = M0;"])
    def test_refused(self, text: bytes) -> None:
        tokens = lex(text)
        assert guard.refusal(tokens, Directives(tokens))
        assert translate(text, filename="source.cu").text

    @pytest.mark.parametrize("text", [
        b"int table[] = {" + b"1, " * 100_000 + b"};", b"const char *s = " + b'"line\\n"\n' * 20_000 + b";",
        b"#define A 1\n" * 5_000, b"/* " + b"word " * 20_000 + b"*/ int x;", b"int f();\n" * 20_000,
        b"void f() { switch (x) { " + b"case 1: return 2; " * 5_000 + b"} }", b"namespace a { " * 200 + b"}" * 200,
        b"// {\nconst char *s = \"{\";\n" * 600, b"void f() { { } }\n" * 600,
        b"#define MAX(a, b) ((a) > (b) ? (a) : (b))\nint x = MAX(MAX(MAX(MAX(1, 2), 3), 4), 5);", b""])
    def test_let_through(self, text: bytes) -> None:
        tokens = lex(text)
        assert guard.refusal(tokens, Directives(tokens)) == ""

    @pytest.mark.parametrize("text", [b"{" * 20_000, b"[" * 20_000, b"A<" * 20_000, b"a ? b : " * 500 + b"c;", b"\0" * 10_000,
                                      b'#include "source.cu"\n#include __FILE__\n', b"namespace a {" * 20_000,
                                      b"template <int N> struct F { static const int v = F<N - 1>::v; }; int x = F<90000>::v;"])
    def test_survived(self, text: bytes) -> None:
        unit = make(text + b"\nvoid f() { cudaFree(0); }")
        assert unit.semantics.origin(place(unit, "cudaFree")) in Origin

    def test_a_refusal_is_told(self) -> None:
        unit = make(b"int x = " + b"!" * 20_000 + b"c;")
        assert unit.semantics.errors == ()
        assert "more than" in unit.semantics.reason
        assert isinstance(unit.semantics, Semantics)


def test_sources_that_get_another_name_are_read_under_it(tmp_path: Path) -> None:
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "k.cu").write_text("struct Work { cudaStream_t s; };\ntemplate <class T> __global__ void k(T *p) {}\n")
    source = b'#include "sub/k.cu"\nvoid run(Work w) { cudaStreamCreate(&w.s); k<int><<<1, 32>>>(nullptr); }\n'
    settings = Settings(renamed_sources=((str(tmp_path / "sub" / "k.cu"), "k.hip"),))
    result = translate(source, filename=str(tmp_path / "main.cu"), settings=settings)
    assert b'#include "sub/k.hip"' in result.text
    assert not result.diagnostics
    broken = source.replace(b"run(Work w)", b"run(Work w, int hipStreamCreate)")
    assert [each.code for each in translate(broken, filename=str(tmp_path / "main.cu"), settings=settings).diagnostics] == [
        "HPY002"]
