"""HPY305 ptx-differs, HPY403 inline-ptx: NVIDIA's assembly language becomes C++, or an error.

What it does
------------
Reads each ``asm`` statement whose template is PTX, also in macros, in pieces, and with several instructions. If all of its
instructions stand in ``mapping/ptx.csv``, C++ that computes the same is written in its place: an assignment for one
instruction, a ``do { } while (0)`` for several, with each operand evaluated once. Any other PTX is an error (HPY403) with
the opcode and advice. ``asm`` for the host's processor, for AMD's GPUs and empty templates stay as they are.

Why is this bad
---------------
AMD's assembler does not know PTX; other translators leave it without a word.

Example
-------
Bad::

    asm("lop3.b32 %0, %1, %2, %3, 0x96;" : "=r"(d) : "r"(a), "r"(b), "r"(c));

Good::

    d = (unsigned int)a ^ (unsigned int)b ^ (unsigned int)c;

Fix safety
----------
The C++ computes the same bits. Exceptions: for the approximate instructions (``ex2.approx``, ``rcp.approx`` ...), PTX
promises an error bound, and HIP's functions stay within it; conversions from floating point outside the range of the
integer saturate, as AMD's instructions do. Where more differs (the unit of ``%globaltimer``, ``.ftz``), a note says so
(HPY305). ``%laneid`` and its masks are those of 32 lanes, as in CUDA, unless the source counts in ``warpSize``.
Carries between instructions are followed inside one statement; across statements, they are reported.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from hipify_py import ptx_table
from hipify_py.diagnostics import Diagnostic, Edit, Finding, Fix, Severity
from hipify_py.lanes import Mode
from hipify_py.lexer import TokenKind
from hipify_py.names import looks_like_cuda
from hipify_py.ptx import AsmStatement, Program, UnreadableError, opcodes, read, statements
from hipify_py.ptx_cpp import CARRY, STORAGE, MisfitError, Result, Site, Translator
from hipify_py.ptx_table import CPP_TYPES
from hipify_py.settings import Syntax
from hipify_py.unit import TranslationUnit

CODE = "HPY403"
NOTE = "HPY305"
_TYPED = re.compile(r"\.(?:[usbf](?:8|16|32|64|128)|pred|f16x2|bf16|bf16x2|tf32|e4m3x2|e5m2x2|v[24]|global|shared|"
                    r"approx|aligned|sync|async|cta|gl|sys|uni|commit_group|wait_group|wait_all)(?=\.|::|$)")
_SPECIAL = re.compile(r"%%?(?:laneid|lanemask_\w\w|clock(?:64|_hi)?|globaltimer\w*|smid|nsmid|warpid|nwarpid|n?tid\.[xyz]|"
                      r"n?ctaid\.[xyz]|gridid)\b|^\s*\{?\s*\.reg\b")
_VIDEO = re.compile(r"v(?:add|sub|absdiff|min|max|shl|shr|set|mad|avrg)[24]?\b")
_DOTLESS = frozenset(("trap", "exit", "brkpt"))
#: Instructions without a type in their opcode.
_UNTYPED = frozenset((
    "bar", "barrier", "cp", "mma", "wmma", "wgmma", "tcgen05", "griddepcontrol", "mbarrier", "fence", "membar", "setmaxnreg",
    "prefetch", "prefetchu", "elect", "discard", "createpolicy"))
_SIMPLE = re.compile(rb"[A-Za-z_]\w*(?:(?:\.|->)[A-Za-z_]\w*|\[\w+\])*|[0-9]\w*")
_BUILTINS = frozenset((b"threadIdx", b"blockIdx", b"blockDim", b"gridDim"))
_WARP = re.compile(rb"__(?:shfl|ballot|any|all|activemask|syncwarp|match|reduce)\w*")
_INTEGERS = re.compile(r"(?:const |volatile )*(?:unsigned |signed )?"
                       r"(?:long|long long|int|size_t|u?int64_t)(?: unsigned)?(?: int)?")


def check(unit: TranslationUnit) -> Iterator[Finding]:
    """Yield a fix or an error for each ``asm`` statement with PTX."""
    if b"asm" not in unit.data:
        return
    found = [each for each in statements(unit.tokens) if _concerns(unit, each)]
    if not found:
        return
    table = ptx_table.load()
    works = [_Work(unit, each, table) for each in found if is_ptx(each, table) or _is_device_macro(unit, each)]
    carried = any(work.takes_carry for work in works)
    for work in works:
        yield from work.findings(carried=carried)


def _concerns(unit: TranslationUnit, statement: AsmStatement) -> bool:
    """Whether a statement is code: no prose of another directive, and not frozen."""
    directive = unit.directives.containing(statement.first)
    if directive is not None and (directive.macro is None or directive.macro.name == statement.first):
        return False
    return not unit.regions.is_frozen(unit.tokens.start(statement.first))


def _is_device_macro(unit: TranslationUnit, statement: AsmStatement) -> bool:
    """Whether this is device code whose template a macro puts together: most likely PTX."""
    return not statement.complete and unit.semantics.is_device_code(statement.first) is True


def is_ptx(statement: AsmStatement, table: ptx_table.PtxTable) -> bool:
    """Whether a template is PTX, rather than a host processor's or AMD's assembly."""
    if _SPECIAL.search(statement.template):
        return True
    for opcode in opcodes(statement.template):
        family, dot, _ = opcode.partition(".")
        if opcode in _DOTLESS and not statement.operands:
            return True
        if not dot:
            continue
        if _TYPED.search(opcode):
            # `vmin.u32 q0, q1` is ARM's: PTX's video instructions name three types.
            if not family.startswith("v") or family == "vote" or (
                    _VIDEO.match(opcode) and len(_TYPED.findall(opcode)) >= 3):
                return True
            continue
        if family in _UNTYPED:
            return True
    return False


class _Work:
    """One statement and what can be made of it."""

    def __init__(self, unit: TranslationUnit, statement: AsmStatement, table: ptx_table.PtxTable) -> None:
        self._unit = unit
        self._statement = statement
        self._table = table
        self._directive = unit.directives.containing(statement.first)
        self.problem = ""
        self.takes_carry = False
        self._leaves_carry = False
        self._program = Program({}, ())
        self._results: list[Result] = []
        try:
            self._program = read(statement)
            self._results = self._translated(block=False)
        except UnreadableError as reason:
            names = ", ".join(f"`{each}`" for each in dict.fromkeys(opcodes(statement.template))) or "inline assembly"
            self.problem = f"PTX {names}: {reason}; write it in C++"
            self.takes_carry = any(re.match(r"(?:addc|subc|madc)\.", each) for each in opcodes(statement.template))
            return
        self._follow_carry()

    def findings(self, *, carried: bool) -> Iterator[Finding]:
        """The fix, with its notes, or the error."""
        span = self._unit.range(self._statement.first)
        if not self.problem and (self.takes_carry or (carried and self._leaves_carry)):
            self.problem = ("PTX carry flag: it goes from one `asm` statement to another; write the sum with wider integers or "
                            "put the chain into one statement")
        if self.problem:
            yield Diagnostic(CODE, Severity.ERROR, self.problem, span)
            return
        for note in dict.fromkeys(result.note for result in self._results if result.note):
            yield Diagnostic(NOTE, Severity.NOTE, f"PTX became C++, not all of it the same: {note}", span)
        yield Fix(tuple(self._direct() if self._can_be_direct() else self._block()))

    def _follow_carry(self) -> None:
        known = pending = False
        for result in self._results:
            if result.reads_carry:
                self.takes_carry = self.takes_carry or not known
                pending = False
            if result.writes_carry:
                known = pending = True
        self._leaves_carry = pending

    def _translated(self, *, block: bool) -> list[Result]:
        texts = tuple(f"ptx_{index}" if block else self._text(index) for index in range(len(self._statement.operands)))
        narrow = self._unit.lanes.family(self._statement.first).mode is Mode.GROUPS
        site = Site(texts, self._may_be_pointer, "(__lane_id() & 31u)" if narrow else "__lane_id()",
                    self._wall_clock(), narrow,
                    b"fp16" in self._unit.data, self._builtin)
        translator = Translator(self._statement, self._program, self._table, site)
        results: list[Result] = []
        problems: dict[str, str] = {}
        for instruction in self._program.instructions:
            try:
                results.append(translator.translate(instruction))
            except MisfitError as advice:
                problems.setdefault(instruction.opcode, str(advice))
        if problems:
            names = ", ".join(f"`{name}`" for name in list(problems)[:3])
            said = next((text for text in problems.values() if text), "write it in C++")
            self.problem = f"PTX {names} cannot be translated (inline assembly): {said}"
        return results

    def _text(self, index: int) -> str:
        """An operand's expression as it stands, in brackets where that matters."""
        data = self._source(index)
        text = b" ".join(data.replace(b"\\\n", b" ").replace(b"\\\r\n", b" ").split())
        if self._directive is None and _SIMPLE.fullmatch(text):
            return text.decode("utf-8", "surrogateescape")
        return f"({text.decode('utf-8', 'surrogateescape')})"

    def _source(self, index: int) -> bytes:
        operand, tokens = self._statement.operands[index], self._unit.tokens
        return self._unit.data[tokens.end(operand.open) : tokens.start(operand.close)].strip()

    def _may_be_pointer(self, index: int) -> bool:
        operand = self._statement.operands[index]
        first = self._unit.tokens.next_code(operand.open)
        kind = self._unit.semantics.type_of(first, self._unit.tokens.previous_code(operand.close) + 1)
        return kind is None or not _INTEGERS.fullmatch(kind)

    def _wall_clock(self) -> str:
        """HIP 5.2 hides its function from the host's pass; the instruction behind it is gone from gfx11 on."""
        settings = self._unit.settings
        newer = settings.rocm is not None and (settings.rocm.major, settings.rocm.minor) >= (5, 3)
        if newer or any(re.match(r"gfx1[1-9]", each) for each in settings.offload_arch):
            return "wall_clock64()"
        return "__builtin_amdgcn_s_memrealtime()"

    def _builtin(self, name: str) -> str:
        variable, axis = name.split("_")
        if self._unit.settings.thread_indices is Syntax.HIP:
            return f"hip{variable[0].upper()}{variable[1:]}_{axis}"
        return f"{variable}.{axis}"

    def _can_be_direct(self) -> bool:
        """Whether one statement says it: every operand is evaluated once, and no other rule edits it."""
        if len(self._results) != 1 or not self._results[0].single:
            return False
        uses = self._results[0].uses
        for index in range(len(self._statement.operands)):
            simple = _SIMPLE.fullmatch(self._source(index)) is not None
            if self._has_work_for_others(index) or (uses.count(index) != 1 and not simple):
                return False
        outputs = [index for index, each in enumerate(self._statement.operands) if each.output]
        return all(uses.count(index) >= 1 for index in outputs)

    def _has_work_for_others(self, index: int) -> bool:
        operand, tokens, table = self._statement.operands[index], self._unit.tokens, self._unit.table
        for place in range(operand.open + 1, operand.close):
            if tokens.kind(place) == TokenKind.COMMENT:
                return True
            if tokens.kind(place) != TokenKind.IDENTIFIER:
                continue
            name = tokens.name(place)
            mapping = table.lookup(name)
            if name in _BUILTINS or _WARP.match(name) or looks_like_cuda(name) or (
                    mapping is not None and mapping.hip.encode() != name):
                return True
        return False

    def _direct(self) -> Iterator[Edit]:
        tokens, statement = self._unit.tokens, self._statement
        text = self._results[0].statements[0].encode("utf-8", "surrogateescape")
        yield Edit(tokens.start(statement.first), tokens.end(statement.close), text, CODE)

    def _block(self) -> Iterator[Edit]:
        """A block that evaluates each operand once, where it stands."""
        tokens, statement = self._unit.tokens, self._statement
        results = self._translated(block=True)
        newline, indent = self._layout()
        place, lead = tokens.start(statement.first), "do {"
        for index, operand in enumerate(statement.operands):
            lead += newline + indent + self._declaration(index)
            yield Edit(place, tokens.start(operand.open), lead.encode(), CODE)
            place, lead = tokens.end(operand.close), ";"
        lines = [f"{CPP_TYPES[_storage(kind)]} ptx_{name.replace('$', '_')}" for name, kind in
                 self._program.registers.items()]
        if any(result.writes_carry for result in results):
            lines.append(f"unsigned int {CARRY}")
        lines += [line for result in results for line in result.statements]
        for line in lines:
            lead += newline + indent + line + ("" if line.endswith("}") else ";")
        lead += newline + indent[:-4] + "} while (0)"
        yield Edit(place, tokens.end(statement.close), lead.encode(), CODE)

    def _declaration(self, index: int) -> str:
        operand = self._statement.operands[index]
        if operand.output:
            return f"auto &ptx_{index} = "
        kind = STORAGE.get(operand.constraint, "n")
        if kind in ("u64", "n"):
            return f"const auto ptx_{index} = "
        return f"const {CPP_TYPES[kind]} ptx_{index} = ({CPP_TYPES[kind]})"

    def _layout(self) -> tuple[str, str]:
        """The line end and the indentation inside the block: none in a macro."""
        if self._directive is not None:
            return " ", ""
        start = self._unit.tokens.start(self._statement.first)
        line = self._unit.source.line_range(start)
        before = self._unit.data[line.start : start]
        indent = before[: len(before) - len(before.lstrip())].decode()
        return self._unit.source.newline.decode(), indent + "    "


def _storage(kind: str) -> str:
    return "u" + kind[1:] if kind[0] in "bs" else kind
