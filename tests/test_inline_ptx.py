"""Inline PTX: each row compiles and computes what PTX computes; all other assembly stays or is reported."""

from __future__ import annotations

import ctypes
import random
import shutil
import subprocess

import pytest

from hipify_py.diagnostics import Severity
from hipify_py.engine import translate
from hipify_py.ptx import opcodes
from hipify_py.ptx_table import load
from hipify_py.settings import Settings, Syntax, Version
from tests.ptx_programs import Row, function, has_model, letter, model, rows
from tests.rewrites import HIP, codes, hip, lines, run

SHIMS = r"""
#include <cmath>
#define __device__
using ull = unsigned long long;
static long long min(long long a, long long b) { return a < b ? a : b; }
static long long max(long long a, long long b) { return a > b ? a : b; }
static unsigned __umulhi(unsigned a, unsigned b) { return (ull)a * b >> 32; }
static int __mulhi(int a, int b) { return (long long)a * b >> 32; }
static ull __umul64hi(ull a, ull b) { return (unsigned __int128)a * b >> 64; }
static long long __mul64hi(long long a, long long b) { return (__int128)a * b >> 64; }
static unsigned __umul24(unsigned a, unsigned b) { return (a & 0xffffff) * (b & 0xffffff); }
static int __mul24(int a, int b) { return (int)((unsigned)((a << 8) >> 8) * (unsigned)((b << 8) >> 8)); }
static int __popc(unsigned a) { return __builtin_popcount(a); }
static int __popcll(ull a) { return __builtin_popcountll(a); }
static int __clz(int a) { return a ? __builtin_clz(a) : 32; }
static int __clzll(long long a) { return a ? __builtin_clzll(a) : 64; }
static ull __brevll(ull a) { ull r = 0; for (int i = 0; i < 64; ++i) r |= (a >> i & 1) << (63 - i); return r; }
static unsigned __brev(unsigned a) { return __brevll(a) >> 32; }
static unsigned __byte_perm(unsigned a, unsigned b, unsigned s) {
    ull v = (ull)b << 32 | a; unsigned r = 0;
    for (int i = 0; i < 4; ++i) r |= (unsigned)(v >> 8 * (s >> 4 * i & 7) & 255) << 8 * i;
    return r; }
static unsigned __funnelshift_l(unsigned a, unsigned b, unsigned s) { return (((ull)b << 32 | a) << (s & 31)) >> 32; }
static unsigned __funnelshift_r(unsigned a, unsigned b, unsigned s) { return ((ull)b << 32 | a) >> (s & 31); }
static unsigned __funnelshift_lc(unsigned a, unsigned b, unsigned s) { return (((ull)b << 32 | a) << (s < 32 ? s : 32)) >> 32; }
static unsigned __funnelshift_rc(unsigned a, unsigned b, unsigned s) { return ((ull)b << 32 | a) >> (s < 32 ? s : 32); }
"""
EDGES = (0, 1, 2, 7, 31, 32, 33, 63, 64, 127, 128, 255, 256, 0x7FFF, 0x8000, 0xFFFF, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF,
         0x7FFFFFFFFFFFFFFF, 0x8000000000000000, 0xFFFFFFFFFFFFFFFF, 0x5410, 0x8A3F, 0x00FF00FF)


def translated_rows(functions: list[str], **settings: object) -> str:
    source = "#include <hip/hip_runtime.h>\n#include <hip/hip_fp16.h>\n" + "".join(functions)
    result = translate(source.encode(), settings=Settings(semantics=False, **settings))  # type: ignore[arg-type]
    said = [each.message for each in result.diagnostics if each.code == "HPY403"]
    assert not said, said
    assert b"asm" not in result.text
    return result.text.decode()


def _values(row: Row, draw: random.Random) -> list[int]:
    kinds = [row.kind(spec) for spec in row.specs if ":" in spec]
    wide = [draw.choice(EDGES) if draw.random() < 0.5 else draw.getrandbits(64) for _ in kinds]
    values = []
    for value, kind in zip(wide, kinds[1:] if row.specs[0].startswith("d:") else kinds, strict=False):
        bits = 32 if kind == "pred" else {"r": 32, "h": 16, "l": 64}[letter(kind)[0]]
        values.append(value % 2 if kind == "pred" else value % (1 << bits))
    return values


@pytest.fixture(scope="module")
def host(tmp_path_factory):
    """Every row with a model, compiled for the host: ``(rows, library)``."""
    compiler = shutil.which("g++")
    if compiler is None:
        pytest.skip("g++ was not found")
    chosen = [(row, 0x96) for row in rows() if has_model(row) and "{cc}" not in row.cpp and "lop3" not in row.cpp]
    chosen += [(row, lut) for row in rows() if "lop3" in row.cpp for lut in range(256)]
    text = translated_rows([function(row, number, lut=lut) for number, (row, lut) in enumerate(chosen)])
    body = "\n".join(line for line in text.splitlines() if not line.startswith("#include"))
    folder = tmp_path_factory.mktemp("ptx")
    (folder / "rows.cpp").write_text(SHIMS + 'extern "C" {\n' + body + "}\n")
    subprocess.run([compiler, "-std=c++17", "-w", "-O1", "-fwrapv", "-shared", "-fPIC", "rows.cpp", "-o", "rows.so"], cwd=folder,
                   check=True)
    return chosen, ctypes.CDLL(str(folder / "rows.so"))


def test_rows_compute_what_ptx_computes(host) -> None:
    chosen, library = host
    assert len(chosen) > 500
    draw = random.Random(1)
    wrong = []
    for number, (row, lut) in enumerate(chosen):
        for _ in range(8 if "lop3" in row.cpp else 60):
            values = _values(row, draw)
            if row.opcode.startswith(("div", "rem")) and (values[1] % (1 << 16) in (0, 0xFFFF) or len(values) < 2):
                continue
            inputs = (ctypes.c_uint64 * 8)(*values)
            outputs = (ctypes.c_uint64 * 8)()
            library[f"f{number}"](inputs, outputs)
            kind = row.kind(row.specs[0])
            bits = 32 if kind == "pred" else {"r": 32, "h": 16, "l": 64}[letter(kind)[0]]
            wanted = model(row, values, lut=lut) % (1 << bits)
            if outputs[0] != wanted:
                wrong.append(f"{row.opcode} {[hex(each) for each in values]}: {outputs[0]:#x}, PTX: {wanted:#x}")
                break
    assert wrong == []


CHAINS = {
    "add": ("add.cc.{T} %0, %2, %4; addc.cc.{T} %1, %3, %5; addc.{T} %6, 0, 0;", lambda a, b: a + b),
    "sub": ("sub.cc.{T} %0, %2, %4; subc.cc.{T} %1, %3, %5; subc.{T} %6, 0, 0;", lambda a, b: a - b),
    "mad": ("mul.lo.{T} %0, %2, %4; mul.hi.{T} %1, %2, %4; mad.lo.cc.{T} %1, %3, %4, %1; madc.hi.{T} %6, %3, %4, 0;"
            " mad.lo.cc.{T} %1, %2, %5, %1; madc.hi.cc.{T} %6, %2, %5, %6; mad.lo.{T} %6, %3, %5, %6;", lambda a, b: a * b),
}


@pytest.mark.parametrize("bits", [32, 64])
@pytest.mark.parametrize("name", CHAINS)
def test_carry_chains(name: str, bits: int, tmp_path) -> None:
    if shutil.which("g++") is None:
        pytest.skip("g++ was not found")
    template, wanted = CHAINS[name]
    template = template.replace("{T}", f"u{bits}").replace("%6", "%TOP").replace("%5", "%6").replace("%4", "%5").replace(
        "%3", "%4").replace("%2", "%3").replace("%TOP", "%2")
    word, constraint = ("unsigned int", "r") if bits == 32 else ("unsigned long long", "l")
    text = translated_rows([f"""__device__ void chain(unsigned long long *in, unsigned long long *out) {{
    {word} x, y, z, a = in[0], b = in[1], c = in[2], d = in[3];
    asm("{template}" : "=&{constraint}"(x), "=&{constraint}"(y), "=&{constraint}"(z)
        : "{constraint}"(a), "{constraint}"(b), "{constraint}"(c), "{constraint}"(d));
    out[0] = x; out[1] = y; out[2] = z;
}}
"""])
    body = "\n".join(line for line in text.splitlines() if not line.startswith("#include"))
    (tmp_path / "chain.cpp").write_text(SHIMS + 'extern "C" {\n' + body + "\n}\n")
    subprocess.run(["g++", "-std=c++17", "-w", "-shared", "-fPIC", "chain.cpp", "-o", "chain.so"], cwd=tmp_path, check=True)
    library = ctypes.CDLL(str(tmp_path / "chain.so"))
    draw = random.Random(2)
    for _ in range(300):
        halves = [draw.choice((0, 1, (1 << bits) - 1, draw.getrandbits(bits))) for _ in range(4)]
        inputs, outputs = (ctypes.c_uint64 * 4)(*halves), (ctypes.c_uint64 * 4)()
        library.chain(inputs, outputs)
        got = outputs[0] | outputs[1] << bits | outputs[2] << 2 * bits
        left, right = halves[0] | halves[1] << bits, halves[2] | halves[3] << bits
        # `mad` leaves the carry of its last product out of the third word's neighbour: compare three words.
        assert got == wanted(left, right) % (1 << 3 * bits), (name, halves)


def _every_row(**settings: object) -> bytes:
    return translated_rows([function(row, number) for number, row in enumerate(rows())], **settings).encode()


def test_rows_compile(compile_hip) -> None:
    compile_hip(_every_row())


def test_rows_compile_with_the_current_hip(compile_hip_current) -> None:
    # As kernels, so that code is made of each; beside gfx90a, which the compiler's fixture names.
    kernels = _every_row(rocm=Version(6, 4)).replace(b"__device__ void f", b"__global__ void f")
    assert kernels.count(b"__global__ void f") == len(rows())
    compile_hip_current(kernels, flags=["--offload-arch=gfx1100"])


REWRITES = [
    ('asm("lop3.b32 %0, %1, %2, %3, 0x96;" : "=r"(d) : "r"(a), "r"(b), "r"(c));',
     "d = (unsigned int)a ^ (unsigned int)b ^ (unsigned int)c;"),
    ('asm volatile("bar.sync 0;");', "__syncthreads();"),
    ('__asm__ __volatile__ ("membar.gl;" ::: "memory");', "__threadfence();"),
    ('asm volatile("membar.sys;\\n");', "__threadfence_system();"),
    ('asm("trap;");', "abort();"),
    ('asm("mov.u32 %0, %%laneid;" : "=r"(d));', "d = (__lane_id() & 31u);"),
    ('asm("mov.u32 %0, %laneid;" : "=r"(d));', "d = (__lane_id() & 31u);"),
    ('asm("mov.u32 %0, %%tid.x;" : "=r"(d));', "d = hipThreadIdx_x;"),
    ('asm("{\\n\\t" "mul.wide.u32 %0, %1, %2;\\n\\t" "}" : "=l"(q) : "r"(a), "r"(b));',
     "q = (__typeof__(q))((unsigned long long)(unsigned int)a * (unsigned int)b);"),
    ('asm("rsqrt.approx.ftz.f32 %0,%1;" : "=f"(f) : "f"(g));', "f = rsqrtf(g);"),
    ('asm("rcp.approx.f32 %[y], %[x];" : [y] "=f"(f) : [x] "f"(g + 1));', "f = 1.0f / (g + 1);"),
    ('asm volatile("st.global.cg.f32 [%0+8], %1;" :: "l"(p), "f"(f) : "memory");', "*(float *)((char *)p + 8) = f;"),
    ('asm volatile("red.global.add.f32 [%0], %1;" :: "l"(p), "f"(f));', "atomicAdd((float *)p, f);"),
    ('asm("ld.global.nc.f32 %0, [%1];" : "=f"(f) : "l"(p));', "f = *(const float *)p;"),
    ('asm("add.f32 %0, %1, 0f3FC00000;" : "=f"(f) : "f"(g));', "f = g + 1.5f;"),
    ('asm("add.u32 %0, %1, -1;" : "=r"(d) : "r"(a));', "d = (unsigned int)a + 4294967295u;"),
    ('asm("mov.b32 %0, %1;" : "=r"(d) : "f"(f));', "d = __float_as_uint(f);"),
    ('asm("prefetch.global.L2 [%0];" :: "l"(p));', "(void)p;"),
    (r'asm(R"(shl.b32 %0, %1, 3; // eight)" : "=r"(d) : "r"(a));', "d = 3u > 31u ? 0u : (unsigned int)a << 3u;"),
    ('asm("activemask.b32 %0;" : "=r"(d));', "d = (unsigned int)(__ballot(1) >> (__lane_id() & 32u));"),
]


@pytest.mark.parametrize(("before", "after"), REWRITES)
def test_rewrites(before: str, after: str) -> None:
    source = "__device__ void k(unsigned d, unsigned a, unsigned b, unsigned c, void *p, float f, float g) { %s }\n"
    assert hip(source % before, semantics=False) == source % after


KEPT = [
    'asm volatile("" ::: "memory");',
    'asm volatile("rdtsc" : "=a"(a), "=d"(d));',
    'asm("rdtsc; shl $0x20,%rdx; mov %eax,%eax; or %rdx,%rax;");',
    'asm("mfctl 16, %0" : "=r"(d));',
    'asm volatile("mov.w r0, r1");',
    'asm("vmin.u32 q0, q1, q2");',
    'asm("vadd.i32 q0, q1, q2");',
    'asm("fadd.s %0, %1, %2" : "=f"(f) : "f"(f), "f"(g));',
    'asm volatile("s_nop 0");',
    'asm volatile("v_add_u32 %0, %1, %2" : "=v"(d) : "v"(a), "v"(b));',
    'asm("pause");',
    'asm("b.eq 1f");',
    'asm("lr.w %0, (%1)" : "=r"(d) : "r"(p));',
    'int asm_count = 0;',
    'log("asm(\\"trap;\\")");',
    '/* asm("trap;") */',
]


@pytest.mark.parametrize("text", KEPT)
def test_kept(text: str) -> None:
    source = f"void k() {{ {text} }}\n"
    result = run(source)
    assert result.text.decode() == HIP + source
    assert "HPY403" not in codes(result)


REPORTED = [
    ('asm volatile("cp.async.commit_group;\\n" ::);', "cp.async.commit_group"),
    ('asm volatile("cp.async.wait_group %0;\\n" :: "n"(3));', "cp.async.wait_group"),
    ('asm volatile("bar.sync %0, %1;" :: "r"(1), "r"(64));', "bar.sync"),
    ('asm volatile("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0}, {%1}, {%2}, {%3};" :: "r"(1));', "mma.sync"),
    ('asm volatile("exit;");', "exit"),
    ('asm("mov.u32 %0, %%warpid;" : "=r"(d));', "warpSize"),
    ('asm("ld.shared.u32 %0, [%1];" : "=r"(d) : "r"(a));', "__shared__"),
    ('asm("{ .reg .pred p; L: setp.eq.u32 p, %0, 0; @p bra L; }" :: "r"(a));', "label"),
    ('asm goto("bra.uni %l0;" :::: out); out:;', "jump"),
    ('asm("frobnicate.u32 %0, %1;" : "=r"(d) : "r"(a));', "frobnicate.u32"),
    ('asm("add.rz.f32 %0, %1, %2;" : "=f"(f) : "f"(f), "f"(g));', "add.rz.f32"),
    ('asm("addc.u32 %0, %1, %2;" : "=r"(d) : "r"(a), "r"(b));', "carry"),
    ('asm("ld." KIND ".u32 %0, [%1];" : "=r"(d) : "l"(p));', "macro"),
    ('asm("add.s32 %0, %1, %2; exit;" : "=r"(d) : "r"(a), "r"(b));', "exit"),
]


@pytest.mark.parametrize(("text", "word"), REPORTED)
def test_reported(text: str, word: str) -> None:
    source = f"__device__ void k(unsigned d, unsigned a, unsigned b, void *p, float f, float g) {{\n{text}\n}}\n"
    result = run(source)
    said = [each for each in result.diagnostics if each.code == "HPY403"]
    assert [each.severity for each in said] == [Severity.ERROR]
    assert "PTX" in said[0].message
    assert word in said[0].message
    assert lines(result, "HPY403") == [2]
    assert text.encode() in result.text


def test_carry_across_statements_reports_both() -> None:
    result = run('__device__ void k(unsigned a, unsigned b) {\nasm("add.cc.u32 %0, %0, %1;" : "+r"(a) : "r"(b));\n'
                 'asm("addc.u32 %0, %0, 0;" : "+r"(b));\n}\n')
    assert lines(result, "HPY403") == [2, 3]


def test_a_macro_over_lines() -> None:
    source = ('#define MUL(d, a, b) \\\n    asm volatile("{ .reg .u32 t; mul.lo.u32 t, %1, %2; add.u32 %0, t, %1; }" \\\n'
              '        : "=r"(d) \\\n        : "r"(a), "r"(b))\n')
    assert hip(source) == (
        "#define MUL(d, a, b) \\\n    do { auto &ptx_0 = (d); const unsigned int ptx_1 = (unsigned int)(a); const unsigned int "
        "ptx_2 = (unsigned int)(b); unsigned int ptx_t; ptx_t = (unsigned int)ptx_1 * (unsigned int)ptx_2; "
        "ptx_0 = ptx_t + (unsigned int)ptx_1; } while (0)\n")


def test_operands_that_other_rules_edit_stay_in_place() -> None:
    text = hip('__device__ void k(unsigned *d) { asm("popc.b32 %0, %1;" : "=r"(d[threadIdx.x]) : "r"(d[blockIdx.x])); }\n')
    assert "auto &ptx_0 = (d[hipThreadIdx_x]);" in text
    assert "const unsigned int ptx_1 = (unsigned int)(d[hipBlockIdx_x]);" in text


def test_operands_with_side_effects_are_evaluated_once() -> None:
    text = hip('__device__ void k(unsigned d, unsigned *a) { asm("min.u32 %0, %1, 7;" : "=r"(d) : "r"(*a++)); }\n')
    assert text.count("*a++") == 1


def test_indices_keep_their_style() -> None:
    source = '__device__ void k(unsigned d) { asm("mov.u32 %0, %%ctaid.y;" : "=r"(d)); }\n'
    assert "d = blockIdx.y;" in hip(source, thread_indices=Syntax.CUDA)


@pytest.mark.parametrize(("settings", "clock"), [
    ({}, "__builtin_amdgcn_s_memrealtime()"), ({"rocm": Version(6, 4)}, "wall_clock64()"),
    ({"offload_arch": ("gfx1100",)}, "wall_clock64()")])
def test_the_clock_is_noted(settings: dict, clock: str) -> None:
    source = '__device__ void k(unsigned long long d) { asm("mov.u64 %0, %%globaltimer;" : "=l"(d)); }\n'
    result = run(source, **settings)
    assert codes(result) == ["HPY305"]
    assert clock in result.text.decode()


def test_masks_of_whole_waves_are_reported() -> None:
    source = ('__device__ int k(int p) { unsigned m;\nasm("mov.u32 %0, %%lanemask_lt;" : "=r"(m));\n'
              "return __popcll(__ballot(p) & m) + warpSize; }\n")
    assert lines(run(source), "HPY403") == [2]


def test_nothing_in_a_frozen_region() -> None:
    source = '#ifdef __HIPCC__\nint x;\n#else\n__device__ void k() { asm("trap;"); }\n#endif\n'
    assert hip(source) == source


def test_opcodes() -> None:
    assert opcodes("{ .reg .u32 t; mov.u32 t, 1; // no\n @p add.u32 t, t, 1; }") == ["mov.u32", "add.u32"]


def test_the_table_is_read() -> None:
    table = load()
    assert table.knows("add")
    assert not table.knows("v_add_u32")
