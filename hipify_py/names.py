"""Names by their looks: what could be CUDA's, and what the source itself declares, from tokens alone.

libclang is asked first (:mod:`hipify_py.clang`); this is the answer where it is silent, for statements drop out of its
tree as soon as one type in them is unknown.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from hipify_py.lexer import TokenKind, TokenStream
from hipify_py.mapping.families import family
from hipify_py.syntax import closing_angle, opening_angle

_LIBRARIES = (rb"cublas|cublasLt|cublasXt|cufft|cufftXt|curand|cusparse|cusolver|cusolverDn|cusolverSp|cusolverRf|"
              rb"cusolverMg|cudnn|cutil|cupti|nvrtc|nvml|nvtx|nvJitLink|nccl")
#: Names that only CUDA's headers are likely to declare, should no table know them.
_LOOKS = re.compile(
    rb"cuda[A-Z]\w*|(?:" + _LIBRARIES + rb")(?:[A-Z]\w*|_\w+)|(?:cu|nv)[A-Z][a-z][a-z0-9_]*[A-Z]\w*|CU[a-z]{3}\w*|"
    rb"__cuda\w*|PFN_cu[A-Z]\w*|__nv_\w+|nv_bfloat16\w*|__CUDA\w*|__NVCC\w*"
)
#: Constants: many a source has its own macros of such names, so these alone make no source one of CUDA's.
_CONSTANTS = re.compile(
    rb"(?:CU|CUDA|CUDART|CUBLAS|CUBLASLT|CUFFT|CURAND|CUSPARSE|CUSOLVER|CUDNN|CUPTI|NVRTC|NVML|NVTX|NCCL)_[A-Z0-9]\w*")
#: Attributes of CUDA's that other compilers have as well.
COMMON_ATTRIBUTES = frozenset((b"__restrict__", b"__noinline__", b"__forceinline__"))
#: Words in front of a name that make what follows an expression, not a declaration.
_EXPRESSION_WORDS = frozenset((
    b"return", b"case", b"else", b"throw", b"new", b"delete", b"goto", b"do", b"sizeof", b"co_return", b"co_yield",
    b"co_await", b"and", b"or", b"not", b"typename", b"operator", b"in", b"if", b"while", b"for", b"switch",
    b"define", b"undef", b"ifdef", b"ifndef", b"elif", b"alignof", b"decltype", b"noexcept", b"extern"))
_TAGS = frozenset((b"struct", b"class", b"enum", b"union", b"namespace", b"concept"))
_TYPE_WORDS = frozenset((
    b"void", b"bool", b"char", b"short", b"int", b"long", b"float", b"double", b"unsigned", b"signed", b"auto",
    b"const", b"volatile", b"size_t", b"restrict", b"__restrict__", b"__restrict"))
#: Words that stand in front of a type: `(const cudaStream_t)` names no variable.
_SPECIFIERS = frozenset((
    b"const", b"volatile", b"static", b"inline", b"constexpr", b"mutable", b"register", b"thread_local", b"friend",
    b"virtual", b"explicit", b"typedef", b"using", b"public", b"private", b"protected", b"template", b"consteval",
    b"__global__", b"__device__", b"__host__", b"__constant__", b"__shared__", b"__managed__", b"__forceinline__"))
#: What can stand behind a name that is being declared, wherever that is.
_MAY_FOLLOW_NAME = frozenset((b"(", b";", b"=", b",", b")", b"[", b"{", b":", b"}", b"]", b">", b">>", b"...", b"*", b"&",
                              b"&&", b"::"))
_RECORDS = frozenset((b"struct", b"class", b"enum", b"union"))
_BEHIND_TYPE = frozenset((b";", b"=", b",", b"["))
_BEHIND_DECLARATOR = frozenset((b"(", b";", b"=", b",", b")", b"[", b"{", b":"))


@dataclass(frozen=True, slots=True)
class Home:
    """Where something is declared.

    Args:
        scope: The named namespaces around it, the outermost first; inline and unnamed ones are seen through.
        inner: It belongs to a class, a block or a list of parameters, inside of them.
    """

    scope: tuple[bytes, ...] = ()
    inner: bool = False


def looks_like_cuda(name: bytes) -> bool:
    """Whether a name is spelled as CUDA's headers, or those of another library of NVIDIA's, spell theirs."""
    return (_LOOKS.fullmatch(name) or _CONSTANTS.fullmatch(name) or family(name)) is not None


def is_distinctive(name: bytes) -> bool:
    """Whether a name that looks like CUDA's is hardly anybody else's: ``CUDA_BLOCK`` may be a macro of one's own."""
    return _CONSTANTS.fullmatch(name) is None


def seems_declared(tokens: TokenStream, index: int) -> bool:
    """Whether the name at this token stands where a declaration introduces a name.

    A guess by the neighbouring tokens: ``struct NAME {``, ``using NAME =``, ``#define NAME``, ``TYPE NAME(``,
    ``TYPE *NAME =``. ``auto x = a * NAME;`` is none.
    """
    before = previous_in_line(tokens, index)
    if before < 0:
        return False
    left = tokens.text(before)
    if left in (b"define", b"undef"):
        return True
    behind = tokens.next_code(index)
    if behind >= len(tokens):
        return False
    right = tokens.text(behind)
    if left in _TAGS:
        return right in (b"{", b";", b":", b"final")
    if left == b"using":
        return right == b"="
    if right not in _BEHIND_DECLARATOR:
        return False
    if left in (b"*", b"&", b"&&"):
        word = tokens.previous_code(before)
        while word >= 0 and tokens.text(word) in (b"*", b"&", b"const"):
            word = tokens.previous_code(word)
        if word < 0 or tokens.kind(word) != TokenKind.IDENTIFIER:
            return False
        return tokens.text(word) in _TYPE_WORDS or _starts_declaration(tokens, word)
    if left in (b">", b">>", b">>>"):
        return right in (b"(", b";", b"=", b"{") and _ends_template(tokens, before)
    if left == b"}":
        return right in _BEHIND_TYPE and ends_type(tokens, before)
    return tokens.kind(before) == TokenKind.IDENTIFIER and left not in _EXPRESSION_WORDS and left not in _SPECIFIERS


def ends_type(tokens: TokenStream, brace: int) -> bool:
    """Whether this ``}`` ends what a type holds, ``struct { int a; } NAME;``, and no block or initialiser."""
    word = tokens.partner(brace)
    for _ in range(16):
        word = tokens.previous_code(word) if word >= 0 else -1
        if word < 0 or tokens.text(word) in (b";", b"{", b"}", b"="):
            return False
        if tokens.text(word) in _RECORDS:
            return True
        if tokens.text(word) == b")":
            word = tokens.partner(word)
    return False


def _ends_template(tokens: TokenStream, greater: int) -> bool:
    """Whether this ``>`` ends the template arguments of a name: ``vector<int> NAME``, not ``a > NAME()``."""
    less = opening_angle(tokens, greater, max(0, greater - 256))
    if less is None or closing_angle(tokens, less) != greater:
        return False
    name = tokens.previous_code(less)
    return name >= 0 and tokens.kind(name) == TokenKind.IDENTIFIER


def previous_in_line(tokens: TokenStream, index: int) -> int:
    """Find the code token in front of this one; -1 if it belongs to a preprocessor line that has ended."""
    before = tokens.previous_code(index)
    if before >= 0:
        end = tokens.end(before)
        if b"\n" in tokens.data[end : tokens.start(index)]:
            line = tokens.data.rfind(b"\n", 0, end) + 1
            if tokens.data[line:end].lstrip().startswith(b"#"):
                return -1
    return before


def _starts_declaration(tokens: TokenStream, word: int) -> bool:
    """Whether the type-like word starts a statement or a parameter."""
    before = tokens.previous_code(word)
    if before < 0:
        return True
    spelling = tokens.text(before)
    if spelling in (b"(", b","):
        return _is_parameter_list(tokens, tokens.enclosing(word))
    return spelling in (b";", b"{", b"}", b"static", b"const", b"extern")


def _is_parameter_list(tokens: TokenStream, bracket: int) -> bool:
    """Whether a bracket holds parameters, ``void f(T &NAME)``, and no operands, ``if (flags & NAME)``, ``f(a * NAME)``."""
    if bracket < 0 or tokens.text(bracket) != b"(":
        return False
    name = tokens.previous_code(bracket)
    if name < 0 or tokens.text(name) == b"]":
        return name >= 0
    if tokens.kind(name) != TokenKind.IDENTIFIER or tokens.text(name) in _EXPRESSION_WORDS:
        return False
    behind = tokens.next_code(tokens.partner(bracket))
    if behind < len(tokens) and tokens.text(behind) in (b"{", b":", b"const", b"noexcept", b"override"):
        return True
    before = tokens.previous_code(name)
    return before >= 0 and tokens.kind(before) == TokenKind.IDENTIFIER and tokens.text(before) not in _EXPRESSION_WORDS


def may_be_declared(tokens: TokenStream, index: int) -> bool:
    """Whether the name at this token could stand in a declaration of it: False only where it cannot.

    Wider than :func:`seems_declared`: enumerators, function pointers, later declarators and template parameters too.
    Where it is False for each use of a name, nobody has to ask libclang whose name it is.
    """
    before = previous_in_line(tokens, index)
    behind = tokens.next_code(index)
    if before < 0 or behind >= len(tokens):
        return False
    left, right = tokens.text(before), tokens.text(behind)
    if tokens.kind(behind) == TokenKind.PUNCTUATION and right not in _MAY_FOLLOW_NAME:
        return False
    if tokens.kind(before) == TokenKind.IDENTIFIER:
        if left in (b"typename", b"define", b"undef", b"using"):
            return True
        # A type: `const cudaStream_t s`; a use: `return cudaSuccess;`
        return left not in _EXPRESSION_WORDS and (tokens.kind(behind) != TokenKind.IDENTIFIER) and right not in (
            b"*", b"&", b"&&", b"::")
    if left in (b"*", b"&", b"&&"):
        word = tokens.previous_code(before)
        # `ok && cudaFree(p)` calls; a function that returns `T &&` under one of CUDA's names is nobody's.
        return word >= 0 and not (left == b"&&" and right == b"(") and (
            tokens.kind(word) == TokenKind.IDENTIFIER or tokens.text(word) in (b"*", b"&", b">", b">>", b"(", b"::"))
    if left == b"}":
        return right in _BEHIND_TYPE
    if left == b"::":
        return right == b";" and tokens.contains(b"using") and bool(qualifier(tokens, index))
    if left in (b">", b">>", b">>>", b"["):
        return right in _BEHIND_DECLARATOR or right == b"]"
    if left in (b",", b"{"):
        return right in (b";", b"=", b"[", b"{", b"]") or (right in (b",", b"}") and tokens.contains(b"enum"))
    return False


def lexical_scopes(tokens: TokenStream, name: bytes) -> list[tuple[int, int]]:
    """Where a name is a local variable or a parameter, as far as tokens show.

    Returns:
        Ranges of token indices, from each declaration inside braces or round brackets to the end of its block (for a
        parameter: of the body that follows). Declarations at file scope are none: they can be CUDA's own, repeated.
    """
    found: list[tuple[int, int]] = []
    place = tokens.data.find(name)
    while place >= 0:
        index = tokens.index_at(place)
        # What lies inside the last range ends there at the latest: it adds nothing.
        if ((not found or index >= found[-1][1]) and tokens.start(index) == place
                and tokens.kind(index) == TokenKind.IDENTIFIER and tokens.name(index) == name
                and seems_declared(tokens, index)):
            end = _scope_end(tokens, index)
            if end is not None:
                found.append((index, end))
        place = tokens.data.find(name, max(place + 1, tokens.end(index)))
    return found


def _scope_end(tokens: TokenStream, index: int) -> int | None:
    """Where the block that holds a declaration ends; None at file scope or for a prototype."""
    bracket = tokens.enclosing(index)
    while bracket >= 0 and (tokens.text(bracket) == b"[" or is_linkage(tokens, bracket)):
        bracket = tokens.enclosing(bracket)
    if bracket < 0:
        return None
    place = tokens.partner(bracket)
    if tokens.text(bracket) == b"{":
        return place
    for _ in range(500):
        place = tokens.next_code(place)
        if place >= len(tokens) or tokens.text(place) in (b";", b"}"):
            return None
        partner = tokens.partner(place)
        if tokens.text(place) == b"{":
            return partner if partner > place else None
        place = max(place, partner)
    return None


def is_linkage(tokens: TokenStream, bracket: int) -> bool:
    """Whether a brace opens a block of a linkage, ``extern "C" {``, which is no scope."""
    if tokens.text(bracket) != b"{":
        return False
    before = tokens.previous_code(bracket)
    return before >= 0 and tokens.kind(before) == TokenKind.STRING and tokens.text(tokens.previous_code(before)) == b"extern"


def is_member_access(tokens: TokenStream, index: int) -> bool:
    """Whether the name is a member: behind ``.`` or ``->`` or ``.*``, or a designated initialiser."""
    before = tokens.previous_code(index)
    return before >= 0 and tokens.text(before) in (b".", b"->")


def qualifier(tokens: TokenStream, index: int) -> bytes | None:
    """What stands in front of a name and its ``::``: ``b"mine"`` in ``mine::cudaFree``.

    Returns:
        The last component; ``b""`` for a leading ``::`` (the global scope); None if the name is unqualified.
    """
    colons = tokens.previous_code(index)
    if colons < 0 or tokens.text(colons) != b"::":
        return None
    before = previous_in_line(tokens, colons)
    if before < 0:
        return b""
    if tokens.kind(before) == TokenKind.IDENTIFIER:
        word = tokens.name(before)
        # `return ::cudaFree(p)`, `const ::cudaError_t e`: a word of the language is no scope.
        return b"" if word in _EXPRESSION_WORDS or word in _TYPE_WORDS or word in _SPECIFIERS or word in _TAGS else word
    return b">" if tokens.text(before) in (b">", b">>", b">>>") else b""

