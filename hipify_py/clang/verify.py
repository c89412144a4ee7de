"""The translation is parsed again, as HIP: what fails there and did not in CUDA is reported at the edit that did it.

HPY001 no-semantics: libclang was asked for and could not be loaded, or gave nothing for this source. Names are then
told apart by the tokens around them alone, which is right for most sources: a local variable that is called like a
CUDA type is the kind of thing that goes wrong. Install the package `libclang`, or name a library with
``LIBCLANG_LIBRARY_FILE``; ``--no-semantics`` says that this is meant.

HPY002 new-parse-error: the text with all edits made does not parse as HIP at a place where the CUDA source did. The
edit that is named is the likely cause. Neither parse has the real headers of CUDA or HIP: only what follows from the
language, from the source's own declarations and from the number of arguments of well-known functions is seen. An
error that might come from the stand-ins for those headers is kept quiet, for a false alarm costs more than a miss.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from hipify_py.clang.flags import Side
from hipify_py.clang.library import Library, Problem, UnavailableError
from hipify_py.clang.parse import parse_hip
from hipify_py.diagnostics import Diagnostic, Edit, Severity
from hipify_py.edits import EditSet
from hipify_py.source import SourceRange

if TYPE_CHECKING:
    from hipify_py.unit import TranslationUnit

_QUOTED = re.compile(r"'[^']*'")
_UNDECLARED = re.compile(r"(?:undeclared identifier|unknown type name) '(\w+)'")
#: What makes one side of a source differ from the other; host and device functions are parsed on both.
_SIDES = re.compile(rb"__CUDA_ARCH__|__HIP_DEVICE_COMPILE__|__CUDA_ARCH_\w+__|__HIP_ARCH_\w+__")
#: Errors that tell of our stand-ins rather than of the source.
_OURS = re.compile(r"__hipify|is ambiguous|ambiguous conversion|does not have linkage|no member named|incomplete type|"
                   r"no type named|no template named|redefinition of|typedef redefinition|no matching (?:constructor|member)|"
                   r"no viable|attribute|cannot redeclare builtin|invalid operands to binary|"
                   r"in namespace|invalid target ID|unknown argument|target '|asm|constraint")
#: How far, in lines, an error of the CUDA parse excuses one of the HIP parse.
_NEAR = 3


def report(unit: TranslationUnit, text: bytes, edits: EditSet) -> list[Diagnostic]:
    """HPY001 if libclang was wanted and is not there, else HPY002 for what the edits broke.

    Args:
        unit: The source.
        text: Its translation.
        edits: What leads from the one to the other.
    """
    if not len(edits):
        return []
    found = new_errors(unit, text, edits) if unit.settings.verify and unit.semantics.available else []
    if unit.semantics.reason:
        found.append(Diagnostic(
            "HPY001", Severity.NOTE, f"{unit.semantics.reason}: names were told apart by the tokens around them alone, "
            "look at names of your own that CUDA has too", SourceRange(0, 0)))
    return found


def new_errors(unit: TranslationUnit, text: bytes, edits: EditSet) -> list[Diagnostic]:
    """The errors of the HIP parse that the CUDA parse of the same side does not have, one for each edit.

    Args:
        unit: The source.
        text: Its translation.
        edits: What leads from the one to the other.
    """
    semantics = unit.semantics
    found: dict[Edit, Diagnostic] = {}
    library = semantics.library
    if library is None:
        return []
    for side in (Side.HOST, Side.DEVICE) if _SIDES.search(text) else (Side.HOST,):
        try:
            problems = _problems(library, unit, text, side)
            if problems and not semantics.asked and semantics.parsed(side) is not None:
                # The CUDA parse has told what has to be guessed; both are compared with the same guesses.
                problems = _problems(library, unit, text, side)
        except UnavailableError:
            continue
        if not problems:
            continue
        before = semantics.parsed(side)
        if before is None:
            continue
        for edit, problem in _caused(unit, problems, before.errors(), edits):
            found.setdefault(edit, Diagnostic(
                "HPY002", Severity.WARNING, f"this rewrite does not parse as HIP, the CUDA source did "
                f"({problem.message.replace('`', '')}): look at this place by hand", edit.range))
    return sorted(found.values(), key=lambda each: each.range)


def _problems(library: Library, unit: TranslationUnit, text: bytes, side: Side) -> tuple[Problem, ...]:
    """The errors of one side's HIP parse, but for names that no stub can know and what tells of the stubs."""
    around = unit.semantics.around.of_translation(unit, text)
    known = around.words.all - unit.table.own_targets
    return tuple(each for each in parse_hip(library, unit, text, around, side).errors()
                 if not _is_elsewhere(each.message, known) and not _OURS.search(each.message))


def _is_elsewhere(message: str, words: frozenset[str]) -> bool:
    """Whether an error is about a name that a macro puts together, or a table of the person's own: no stub can know it."""
    match = _UNDECLARED.search(message)
    return match is not None and match[1] not in words


def _caused(unit: TranslationUnit, problems: tuple[Problem, ...], before: tuple[Problem, ...],
            edits: EditSet) -> list[tuple[Edit, Problem]]:
    """The edit that each new error comes from; errors without one are left out."""
    old = [(unit.source.location(problem.offset).line, _shape(problem.message)) for problem in before]
    shapes = {shape for _, shape in old}
    caused: list[tuple[Edit, Problem]] = []
    for problem in problems:
        edit, offset = edits.covering(problem.offset)
        line = unit.source.location(offset).line
        shape = _shape(problem.message)
        if any(abs(line - other) <= _NEAR for other, _ in old):
            continue
        if edit is None:
            if shape in shapes:
                continue
            edit = _nearest(unit, edits, offset, anywhere=not old and not caused)
        if edit is not None:
            caused.append((edit, problem))
    return caused


def _nearest(unit: TranslationUnit, edits: EditSet, offset: int, anywhere: bool) -> Edit | None:
    """The last edit in front of an error on its line, or, where all was well before, the last one in front of it."""
    start = unit.source.line_range(offset).start
    last = None
    for edit in edits:
        if edit.start > offset:
            break
        last = edit
    if last is None or anywhere:
        return last
    return last if last.end >= start else None


def _shape(message: str) -> str:
    """A message without the names in it."""
    return _QUOTED.sub("''", message)
