"""Lowering: what of HIP's device language the C++ compiler of a host cannot take as it stands, rewritten by tokens.

* ``extern __shared__ T x[];`` becomes a pointer to the block's dynamic memory,
* ``__shared__ T x[N], y;`` a reference into the block's static memory,
* ``k<<<g, b>>>(...)`` a call,
* behind each kernel and each ``__device__`` or ``__constant__`` variable stands its entry in the module's table.

No line is added or taken away, so that messages and debuggers name the lines of the source. Names are entered where
they are defined: inside the same namespace and under the same ``#if``.
"""

from __future__ import annotations

from hipify_py.cpu.code_tokens import CodeTokens

_SHARED = b"__shared__"
_STORAGE = frozenset((b"__device__", b"__constant__", b"__managed__"))
_SPECIFIERS = frozenset((
    b"static", b"extern", b"inline", b"const", b"constexpr", b"volatile", b"__device__", b"__constant__", b"__managed__",
    b"__host__", b"__forceinline__", b"__noinline__", b"__restrict__",
))
_WITH_ARGUMENTS = frozenset((b"__launch_bounds__", b"__attribute__", b"__align__", b"alignas", b"__declspec"))


class _Lowering(CodeTokens):
    """One source on its way through the lowering."""

    def run(self) -> bytes:
        scopes: list[bytes] = []
        outer_dynamic: list[tuple[bytes, bytes]] = []
        place = 0
        while place < len(self.code):
            text = self.text(place)
            if text == b"{":
                kind = self._scope_kind(place)
                if kind == b"code" and not any(scope == b"code" for scope in scopes):
                    self._dynamic_in_function(place, outer_dynamic)
                scopes.append(kind)
            elif text == b"}" and scopes:
                scopes.pop()
            elif text == b"<<<":
                self._launch(place)
            elif self.is_name(place):
                inside = any(scope == b"code" for scope in scopes)
                if text == b"__global__":
                    self._kernel(place)
                elif text == _SHARED:
                    place = self._shared(place, inside, outer_dynamic)
                elif text in _STORAGE and not inside and b"class" not in scopes:
                    place = self._variable(place)
            place += 1
        return self._apply()

    def _apply(self) -> bytes:
        parts: list[bytes] = []
        at = 0
        for patch in sorted(self.patches, key=lambda p: (p.start, p.end)):
            if patch.start < at:
                continue
            parts += (self.data[at : patch.start], patch.text)
            at = patch.end
        parts.append(self.data[at:])
        return b"".join(parts)

    def _scope_kind(self, place: int) -> bytes:
        """What a brace opens: a namespace, a class or code."""
        back = place - 1
        while back >= 0 and self.text(back) not in (b";", b"{", b"}"):
            if self.text(back) in (b")", b"=", b"]"):
                return b"code"
            back -= 1
        head = {self.text(p) for p in range(back + 1, place)}
        if b"namespace" in head:
            return b"namespace"
        if b"extern" in head:
            return b"namespace"
        if head & {b"struct", b"class", b"union", b"enum"}:
            return b"class"
        return b"code"

    def _kernel(self, place: int) -> None:
        """Enter a kernel in the table, behind its body."""
        first = place
        while first > 0 and self.text(first - 1) not in (b";", b"}", b"{"):
            first -= 1
        head = [self.text(p) for p in range(first, place)]
        template = b"template" in head
        specialised = template and self._is_empty_list(first)
        explicit = template and self.text(first) == b"template" and self.text(first + 1) != b"<"
        at = place + 1
        while at < len(self.code):
            if self.text(at) in _WITH_ARGUMENTS and self.text(at + 1) == b"(":
                at = self.close(at + 1)
            elif self.is_name(at) and self.text(at + 1) == b"(":
                break
            elif self.is_name(at) and self.text(at + 1) == b"<":
                end = self.close_angle(at + 1)
                if end > 0 and self.text(end + 1) == b"(":
                    break
            elif self.text(at) in (b";", b"{"):
                return
            at += 1
        if at >= len(self.code):
            return
        name_first = at
        name_last = at if self.text(at + 1) == b"(" else self.close_angle(at + 1)
        body = self.close(name_last + 1) + 1
        while self.text(body) in (b"noexcept", b"const"):
            body += 1
        name = self.source(name_first, name_last)
        if self.text(body) == b"{" and (not template or specialised):
            self.insert(self.end(self.close(body)), self._entry(name))
        elif self.text(body) == b";" and explicit:
            self.insert(self.end(body), self._entry(name))

    def _is_empty_list(self, place: int) -> bool:
        while self.text(place) != b"template":
            place += 1
        return self.text(place + 1) == b"<" and self.text(place + 2) == b">"

    def _entry(self, name: bytes) -> bytes:
        text = name.replace(b"\\", b"\\\\").replace(b'"', b'\\"')
        return b' HIPCPU_KERNEL("' + text + b'", ' + name + b")"

    def _declarators(self, first: int, last: int) -> tuple[bytes, list[tuple[bytes, bytes, int]]]:
        """The type and the (name, array suffix, stars) of a declaration without initialisers: places first..last."""
        pieces: list[tuple[int, int]] = []
        begin = first
        at = first
        while at <= last:
            text = self.text(at)
            if text in (b"(", b"[", b"{"):
                at = self.close(at)
            elif text == b"<":
                end = self.close_angle(at)
                at = end if 0 < end <= last else at
            elif text == b",":
                pieces.append((begin, at - 1))
                begin = at + 1
            at += 1
        pieces.append((begin, last))
        base = b""
        names: list[tuple[bytes, bytes, int]] = []
        for number, (start, stop) in enumerate(pieces):
            name = start
            found = -1
            while name <= stop:
                if self.text(name) in (b"[", b"="):
                    break
                if self.text(name) == b"<":
                    end = self.close_angle(name)
                    name = end if end > 0 else name
                elif self.is_name(name):
                    found = name
                name += 1
            if found < 0 or (number == 0 and found == start):
                return b"", []
            stars = 0
            back = found - 1
            while back >= start and self.text(back) in (b"*", b"const", b"__restrict__"):
                stars += self.text(back) == b"*"
                back -= 1
            if number == 0:
                base = self.source(start, back)
            suffix = b""
            at = found + 1
            while at <= stop and self.text(at) == b"[":
                end = self.close(at)
                suffix += self.source(at, end)
                at = end + 1
            names.append((self.text(found), suffix, stars))
        return base, names

    def _skip_specifiers(self, place: int, last: int, drop: frozenset[bytes]) -> int:
        while place <= last:
            if self.text(place) in _WITH_ARGUMENTS and self.text(place + 1) == b"(":
                place = self.close(place + 1) + 1
            elif self.text(place) in drop:
                place += 1
            else:
                break
        return place

    def _semicolon(self, place: int) -> int:
        while place < len(self.code) and self.text(place) != b";":
            if self.text(place) in (b"(", b"[", b"{"):
                place = self.close(place)
            place += 1
        return place

    def _shared(self, place: int, inside: bool, outer: list[tuple[bytes, bytes]]) -> int:
        """Lower one declaration of shared memory; the place where to go on."""
        end = self._semicolon(place)
        if end >= len(self.code):
            return place
        first = place
        while first > 0 and (self.text(first - 1) in (b"extern", b"static", b"volatile", b"const", b"constexpr")):
            first -= 1
        lead = {self.text(p) for p in range(first, place)}
        qualifier = b"volatile " if b"volatile" in lead else b""
        begin = self._skip_specifiers(place + 1, end - 1, frozenset((b"extern", b"static")))
        extern = b"extern" in lead or b"extern" in {self.text(p) for p in range(place, begin)}
        base, names = self._declarators(begin, end - 1)
        # Attributes may stand between the type and the name.
        if not names:
            return end
        base = _drop_attributes(base)
        if extern:
            declared = []
            for name, suffix, stars in names:
                inner = suffix[suffix.index(b"]") + 1 :] if suffix else b""
                kind = qualifier + base + b" *" * stars
                if inner.strip():
                    alias = b"hipcpu_" + name + b"_t"
                    declared.append((name, b"using " + alias + b" = " + kind + b" " + inner + b"; " + alias + b"* " + name
                                     + b" = ::hipcpu::dynamic_shared<" + alias + b">();"))
                else:
                    declared.append((name, kind + b"* " + name + b" = ::hipcpu::dynamic_shared<" + kind + b" >();"))
            if inside:
                self.replace(first, end, b" ".join(text for _, text in declared))
            else:
                outer.extend(declared)
                self.replace(first, end, b"")
            return end
        if not inside:
            return end
        parts = []
        for name, suffix, stars in names:
            kind = qualifier + base + b" *" * stars + b" " + suffix
            parts.append(b"auto& " + name + b" = ::hipcpu::shared_variable<" + kind.strip() + b" >([]{});")
        self.replace(first, end, b" ".join(parts))
        return end

    def _dynamic_in_function(self, brace: int, outer: list[tuple[bytes, bytes]]) -> None:
        """Declare in a function what a file declares outside of it."""
        if not outer:
            return
        end = self.close(brace)
        used = {self.text(p) for p in range(brace, end) if self.is_name(p)}
        text = b" ".join(declaration for name, declaration in outer if name in used)
        if text:
            self.insert(self.end(brace), b" " + text)

    def _variable(self, place: int) -> int:
        """Enter a variable of the device in the table, behind its declaration."""
        first = place
        while first > 0 and self.text(first - 1) in _SPECIFIERS:
            first -= 1
        at = first
        while self.text(at) in _SPECIFIERS or self.text(at) in _WITH_ARGUMENTS:
            if self.text(at) == b"__global__":
                return place
            at = self.close(at + 1) + 1 if self.text(at) in _WITH_ARGUMENTS and self.text(at + 1) == b"(" else at + 1
        if self.text(first) == b"extern" or b"extern" in {self.text(p) for p in range(first, at)}:
            return place
        if self.text(first - 1) == b">" or self.text(at) in (b"struct", b"class", b"union", b"enum", b"template", b"using"):
            return place
        name = -1
        names: list[bytes] = []
        while at < len(self.code):
            text = self.text(at)
            if text == b"<":
                end = self.close_angle(at)
                at = end if end > 0 else at
            elif text == b"(":
                return place  # a function
            elif text == b"[":
                at = self.close(at)
            elif text in (b"=", b"{"):
                if name >= 0:
                    names.append(self.text(name))
                    name = -1
                while at < len(self.code) and self.text(at) not in (b";", b","):
                    at = self.close(at) if self.text(at) in (b"(", b"[", b"{") else at
                    at += 1
                continue
            elif text == b"operator":
                return place
            elif self.is_name(at):
                name = at
            elif text in (b",", b";"):
                if name >= 0:
                    names.append(self.text(name))
                    name = -1
                if text == b";":
                    break
            at += 1
        if at < len(self.code) and names:
            self.insert(self.end(at), b"".join(b" HIPCPU_SYMBOL(" + name + b")" for name in names))
        return at

    def _launch(self, place: int) -> None:
        """``k<<<g, b>>>(...)`` becomes ``hipcpu::configure(k, g, b)(...)``."""
        end = place + 1
        while end < len(self.code) and self.text(end) != b">>>":
            if self.text(end) in (b"(", b"[", b"{"):
                end = self.close(end)
            elif self.text(end) in (b";", b"<<<"):
                return
            end += 1
        if end >= len(self.code):
            return
        first = place - 1
        if self.text(first) in (b">", b">>"):
            first = self.open_angle(first) - 1
        elif self.text(first) == b")":
            first = self.open(first)
        if first < 0:
            return
        while self.text(first - 1) in (b"::", b".", b"->"):
            first -= 1
            if self.text(first - 1) == b">":
                first = self.open_angle(first - 1)
            if self.is_name(first - 1):
                first -= 1
        self.insert(self.start(first), b"::hipcpu::configure(")
        self.replace(place, place, b", ")
        self.replace(end, end, b")")


def _drop_attributes(base: bytes) -> bytes:
    """The type without ``__align__ ( 16 )`` and the like."""
    words = base.split(b" ")
    kept: list[bytes] = []
    at = 0
    while at < len(words):
        if words[at] in _WITH_ARGUMENTS and at + 1 < len(words) and words[at + 1] == b"(":
            depth = 0
            at += 1
            while at < len(words):
                depth += (words[at] == b"(") - (words[at] == b")")
                at += 1
                if depth == 0:
                    break
            continue
        kept.append(words[at])
        at += 1
    return b" ".join(kept)


def lower(source: bytes) -> bytes:
    """The source as the host's compiler takes it, line for line."""
    return _Lowering(source).run()
