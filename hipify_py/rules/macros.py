"""HPY105 token-pasting: names of CUDA's that a macro puts together.

What it does
------------
Works out which names ``cuda##tail`` makes where the macro is used in this source, and changes the prefix if HIP's
names differ in nothing else. An argument whose HIP name has another tail is rewritten where it is used
(``RT(MallocHost)`` becomes ``RT(HostMalloc)``). Where that is not certain, the macro or its use is reported.

Why is this bad
---------------
No CUDA name stands in the source, so nothing is there to rename; the translation would fail only in hipcc.

Example
-------
Bad::

    #define RT(tail) cuda##tail
    RT(Malloc)(&p, n);

Good::

    #define RT(tail) hip##tail
    RT(Malloc)(&p, n);

Fix safety
----------
Safe where every use in the source is known and stands in the tables. A macro that this source does not use gets its
new prefix with a warning: the files that use it were not seen.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from hipify_py.diagnostics import Diagnostic, Edit, Finding, Fix, Severity
from hipify_py.directives import Macro
from hipify_py.lexer import TokenKind, TokenStream
from hipify_py.loaders import LOADERS
from hipify_py.pasting import MacroNames, Name, Paste, pastes
from hipify_py.unit import TranslationUnit

CODE = "HPY105"
_PREFIX = re.compile(rb"cuda|cu|CUDA_?|CU_|CUDART_|(?:cublas|cufft|curand|cusparse|cusolver|cudnn|nvrtc|nccl|nvtx)\w*|"
                     rb"(?:CUBLAS|CUFFT|CURAND|CUSPARSE|CUSOLVER|CUDNN|NVRTC)_\w*")


def check(unit: TranslationUnit) -> Iterator[Finding]:
    """Yield fixes and reports for names that macros make."""
    macros = [directive.macro for directive in unit.directives.of(b"define") if directive.macro is not None
              and not unit.regions.is_frozen(directive.range.start)]
    if macros:
        yield from _Pasting(unit, macros).findings()


class _Pasting(MacroNames):
    """What is to be said about the names that macros make."""

    def findings(self) -> Iterator[Finding]:
        """What is to be said about each macro."""
        for macro in self.macros:
            for paste in pastes(self.tokens, macro):
                yield from self._paste(paste)
            yield from self._stringized(macro)
            yield from self._prefix_alone(macro)

    # Pasting ----------------------------------------------------------------------------------------------------------

    def _paste(self, paste: Paste) -> Iterator[Finding]:
        tokens = self.tokens
        names, known = self.names(paste)
        first = paste.pieces[0]
        parameters = paste.macro.parameters or ()
        if tokens.text(first) in parameters:
            yield from self._prefix_argument(paste, names)
            return
        cuda = [name for name in names if name.whole in self.unit.table]
        if not cuda:
            if not names and _PREFIX.fullmatch(tokens.text(first)):
                yield from self._unused(paste)
            elif (names and _PREFIX.fullmatch(tokens.text(first))) or not known:
                yield from self._unknown(paste, names)
            else:
                yield from self._kept(paste, names)
            return
        prefixes = Counter(prefix for name in cuda for prefix in [self._new_prefix(name)] if prefix is not None)
        foreign = [name for name in names if name.whole not in self.unit.table]
        common = None if prefixes else self._common_prefix(tokens.text(first))
        if common is not None and all(self._argument_edit(paste, name, common) is not None for name in cuda):
            prefixes[common] += 1
        if not prefixes or foreign:
            wrong = (foreign or cuda)[0].whole.decode("utf-8", "replace")
            yield self._report(first, f"macro `{self._macro_name(paste)}` makes CUDA names by token pasting, "
                               f"`{wrong}` among them, and no one prefix is right for all: write the HIP names out")
            return
        prefix = prefixes.most_common(1)[0][0]
        edits = {Edit(tokens.start(first), tokens.end(first), prefix, CODE)}
        for name in cuda:
            if self._new_prefix(name) != prefix:
                rewritten = self._argument_edit(paste, name, prefix)
                if rewritten is None:
                    yield from self._misfit(name, prefix)
                else:
                    edits.add(rewritten)
        edits = {edit for edit in edits if self.unit.data[edit.start : edit.end] != edit.text}
        if not edits:
            return
        fix = Fix(tuple(sorted(edits, key=lambda edit: edit.start)))
        if known:
            yield fix
        else:
            yield Diagnostic(CODE, Severity.WARNING, f"macro `{self._macro_name(paste)}` makes CUDA names by token "
                             "pasting and "
                             f"not all its uses are plain; it makes `{prefix.decode()}` names now: check the uses",
                             self.unit.range(first), fix)

    def _new_prefix(self, name: Name) -> bytes | None:
        """What the first piece has to become, if the rest of the HIP name is the rest of the CUDA name."""
        rest = b"".join(name.pieces[1:])
        hip = self.hip(name.whole)
        return hip[: len(hip) - len(rest)] if hip is not None and hip.endswith(rest) and len(hip) > len(rest) else None

    def _argument_edit(self, paste: Paste, name: Name, prefix: bytes) -> Edit | None:
        """The edit of a use's argument that makes the HIP name, where the argument serves nothing else."""
        tokens, hip = self.tokens, self.hip(name.whole)
        if hip is None or not hip.startswith(prefix) or len(name.pieces) != 2 or name.places[1] == paste.pieces[1]:
            return None
        place = name.places[1]
        if not self._used_once(paste.macro, tokens.text(paste.pieces[1])) or not self._serves_only(place, paste.macro):
            return None
        return Edit(tokens.start(place), tokens.end(place), hip[len(prefix) :], CODE)

    def _used_once(self, macro: Macro, parameter: bytes) -> bool:
        first, end = macro.body
        return sum(self.tokens.text(place) == parameter for place in range(first, end)) == 1

    def _serves_only(self, place: int, wanted: Macro) -> bool:
        """Whether an argument goes to one macro only, directly or through one that hands it on once."""
        tokens = self.tokens
        index, position = place, 0
        while index >= 0 and tokens.text(index) != b"(":
            position += tokens.text(index) == b","
            index = tokens.previous_code(index)
            if index >= 0 and tokens.text(index) in (b")", b";", b"{", b"}"):
                return False
        called = self.by_name.get(tokens.text(tokens.previous_code(index)) if index > 0 else b"", [])
        if len(called) != 1:
            return False
        if called[0] is wanted:
            return True
        parameters, (first, end) = called[0].parameters or (), called[0].body
        if position >= len(parameters) or not self._used_once(called[0], parameters[position]):
            return False
        inner = next(each for each in range(first, end) if tokens.text(each) == parameters[position])
        return self._serves_only(inner, wanted)

    def _misfit(self, name: Name, prefix: bytes) -> Iterator[Finding]:
        """A use whose HIP name has another tail, or that has none."""
        whole, hip = name.whole.decode(), self.hip(name.whole)
        place = name.places[-1]
        made = (prefix + b"".join(name.pieces[1:])).decode("utf-8", "replace")
        if hip is None:
            yield self._report(place, f"the macro makes `{made}` here, but `{whole}` has no HIP counterpart (not "
                               "supported): replace it by hand", Severity.ERROR)
        else:
            yield self._report(place, f"the macro makes `{made}` here, but `{whole}` is `{hip.decode()}` in HIP: write "
                               "that name")

    def _prefix_argument(self, paste: Paste, names: list[Name]) -> Iterator[Finding]:
        """``prefix##Malloc``: the CUDA part comes from the uses."""
        tokens = self.tokens
        wanted: dict[int, set[bytes | None]] = {}
        for name in names:
            if name.whole in self.unit.table and not self.unit.is_handled(name.places[0]):
                wanted.setdefault(name.places[0], set()).add(self._new_prefix(name))
        for place, prefixes in wanted.items():
            prefix = next(iter(prefixes))
            if prefixes == {tokens.text(place)}:
                continue
            if len(prefixes) == 1 and prefix is not None:
                yield Edit(tokens.start(place), tokens.end(place), prefix, CODE)
            else:
                yield self._report(place, f"macro `{self._macro_name(paste)}` makes CUDA names from "
                                   f"`{_shown(tokens, place)}` "
                                   "by token pasting, and no one prefix is right for all: write the HIP names out")
        yield from self._made_from_cuda(paste, [name for name in names if name.whole not in self.unit.table])

    def _made_from_cuda(self, paste: Paste, names: list[Name]) -> Iterator[Finding]:
        """``f##_ptr`` with a CUDA name for ``f``: the person's own name, which is spelled out elsewhere."""
        tokens = self.tokens
        for name in names:
            changed = [self.hip(piece) or piece for piece in name.pieces]
            new = b"".join(changed)
            if new == name.whole:
                continue
            spelled = [index for index in tokens.identifiers() if tokens.text(index) == name.whole]
            if spelled:
                edits = tuple(Edit(tokens.start(index), tokens.end(index), new, CODE) for index in spelled)
                yield Diagnostic(CODE, Severity.WARNING, f"macro `{self._macro_name(paste)}` makes "
                                 f"`{name.whole.decode()}` from a "
                                 f"CUDA name, which is `{new.decode()}` now: its uses were renamed with it",
                                 self.unit.range(spelled[0]), Fix(edits))

    def _kept(self, paste: Paste, names: list[Name]) -> Iterator[Finding]:
        """``my_##f``, ``cudaFoo##_x``: no name of CUDA's comes out, and CUDA names among the pieces are mere words."""
        tokens, parameters = self.tokens, paste.macro.parameters or ()
        for piece in paste.pieces:
            text = tokens.text(piece)
            if text not in parameters and self.hip(text) not in (None, text):
                yield self._report(piece, f"`{_shown(tokens, piece)}` is part of a name that macro "
                                   f"`{self._macro_name(paste)}` "
                                   "pastes together; it was left as it is: rename it with the name that it makes")
        yield from self._made_from_cuda(paste, names)

    def _unused(self, paste: Paste) -> Iterator[Finding]:
        """A macro that this source does not use: the commonest prefix, with a warning."""
        old = self.tokens.text(paste.pieces[0])
        prefix = self._common_prefix(old)
        if prefix is None:
            yield self._report(paste.pieces[0], f"macro `{self._macro_name(paste)}` makes names from `{old.decode()}` "
                               "by token pasting and is not used here: look what it makes where it is used")
            return
        span = self.unit.range(paste.pieces[0])
        yield Diagnostic(CODE, Severity.WARNING, f"macro `{self._macro_name(paste)}` makes CUDA names by token "
                         "pasting and is not "
                         f"used in this file; it makes `{prefix.decode()}` names now: check its uses elsewhere for "
                         "names that HIP spells otherwise", span, Fix((Edit(span.start, span.end, prefix, CODE),)))

    def _common_prefix(self, old: bytes) -> bytes | None:
        """What HIP writes in front of most names that start so; None if less than half keep their tail."""
        counts: Counter[bytes] = Counter()
        total = 0
        for cuda in self.unit.table:
            tail = cuda[len(old) :]
            if not cuda.startswith(old) or not (old[-1:] == b"_" or tail[:1].isupper() or tail[:1] == b"_"):
                continue
            hip = self.hip(cuda)
            if hip is not None:
                total += 1
                if hip.endswith(tail):
                    counts[hip[: len(hip) - len(tail)]] += 1
        if not counts:
            return None
        prefix, count = counts.most_common(1)[0]
        return prefix if prefix and 2 * count >= total else None

    def _unknown(self, paste: Paste, names: list[Name]) -> Iterator[Finding]:
        """Pasted names that no table knows: the person's own, or CUDA's by a way that cannot be followed."""
        first = paste.pieces[0]
        if not _PREFIX.fullmatch(self.tokens.text(first)) and self.tokens.text(first) not in self.unit.table:
            return
        made = names[0].whole.decode("utf-8", "replace") if names else _shown(self.tokens, first) + "..."
        yield self._report(first, f"macro `{self._macro_name(paste)}` makes names such as `{made}` by token pasting, "
                           "which no table knows; it was left as it is: rename what it makes, if that is CUDA's")

    # Strings and prefixes ---------------------------------------------------------------------------------------------

    def _stringized(self, macro: Macro) -> Iterator[Finding]:
        """``dlsym(library, #name)``: the argument decides what is loaded."""
        tokens = self.tokens
        first, end = macro.body
        if not any(tokens.text(place) in LOADERS for place in range(first, end) if tokens.kind(place) == 4):
            return
        for place in range(first, end):
            if tokens.text(place) != b"#" or tokens.next_code(place, end) >= end:
                continue
            name = tokens.next_code(place, end)
            if tokens.text(name) not in (macro.parameters or ()):
                continue
            before = tokens.previous_code(place)
            if tokens.kind(before) == TokenKind.STRING and _PREFIX.match(tokens.text(before)[1:-1]):
                advice = "the string in front of it still begins a CUDA name: change it to HIP's"
            else:
                advice = "its arguments are HIP names now: load them from HIP's library"
            yield self._report(place, f"macro `{_shown(tokens, macro.name)}` makes a string of "
                               f"`{_shown(tokens, name)}` and loads what it names at run time; {advice}")

    def _prefix_alone(self, macro: Macro) -> Iterator[Finding]:
        """``#define PREFIX cuda``: half a name."""
        first, end = macro.body
        if macro.parameters is None and end == first + 1 and _PREFIX.fullmatch(self.tokens.text(first)) \
                and self.tokens.text(first) not in self.unit.table and self.uses(self.tokens.name(macro.name)):
            yield self._report(first, f"macro `{_shown(self.tokens, macro.name)}` is the beginning of CUDA names that "
                               "other macros finish: change it to HIP's prefix and check the names")

    def _report(self, index: int, message: str, severity: Severity = Severity.WARNING) -> Diagnostic:
        return Diagnostic(CODE, severity, message, self.unit.range(index))

    def _macro_name(self, paste: Paste) -> str:
        return _shown(self.tokens, paste.macro.name)


def _shown(tokens: TokenStream, index: int) -> str:
    return tokens.name(index).decode("utf-8", "replace")
