"""What the mapping tables say about a name, a header or a library: ``hipify-py query`` and :func:`hipify_py.query`."""

from __future__ import annotations

import csv
import re
from collections import Counter
from dataclasses import dataclass, replace
from difflib import get_close_matches
from enum import Enum
from functools import cache
from importlib import resources

from hipify_py.mapping import HeaderMapping, Mapping, MappingTable, Support
from hipify_py.mapping import differences as recorded
from hipify_py.mapping.advice import advice_for
from hipify_py.mapping.families import What, family, family_called
from hipify_py.mapping.hip_headers import headers_for
from hipify_py.mapping.libraries import LIBRARIES, Library, library
from hipify_py.mapping.records import Kind
from hipify_py.mapping.signatures import Side, differences, signature
from hipify_py.settings import Settings, Version, is_newer

_NEAR = 5
_PATH = re.compile(r"(?:::)?((?:[A-Za-z_]\w*::)*[A-Za-z_]\w*)\s*(?:<.*|\(.*|\[.*|\.[xyz])?;?", re.ASCII | re.DOTALL)
_HEADER = re.compile(r"[\w./+-]*[/.][\w./+-]*", re.ASCII)
_LIBRARY = re.compile(r"[A-Za-z][\w+ -]*", re.ASCII)
#: Tables that a rule of their own goes by: file, column of the CUDA name, code.
_RULES = (("call_forms", "cuda", "HPY203"), ("intrinsics", "cuda", "HPY211"), ("simd", "cuda", "HPY211"),
          ("textures", "name", "HPY306"), ("surfaces", "name", "HPY217"), ("definitions", "name", "HPY307"))
#: Names without a counterpart that a rule writes in another way: name, code, form.
_REWRITTEN = "rewritten"
#: What a collective of a warp does -> the code of its rule, by the first word in ``collectives.csv``.
_COLLECTIVES = {"match-any": "HPY309", "match-all": "HPY309", "reduce": "HPY309"}


class UnknownNameError(ValueError):
    """No table knows the name: one line with what is near."""


class Topic(Enum):
    """What was asked for."""

    NAME = "name"
    HEADER = "header"
    LIBRARY = "library"
    HIP_NAME = "hip-name"


@dataclass(frozen=True, slots=True)
class Answer:
    """The answer for one name. What is not known, or does not apply, is empty.

    Args:
        name: What was asked for, without brackets, arguments and the like.
        topic: What it is.
        has_counterpart: Whether HIP (that of ``settings.rocm``, if set) has it; for a library: any of it.
        hip: The HIP name, header or library.
        library: The CUDA library, as its maker calls it; empty for a name of one's own.
        kind: A value of :class:`~hipify_py.mapping.Kind`.
        support: How far HIP has it.
        headers: HIP's headers to include for it, without brackets.
        since: The HIP version that is known to have it; 5.2 stands for everything older too.
        missing: Why a counterpart does not count: it is newer than ``settings.rocm``.
        forms: How a call is written where its form changes; ``{0}`` stands for its first argument.
        cuda_signature: The CUDA function's prototype.
        hip_signature: The HIP function's.
        differs: What differs between their parameters.
        roc: The name in ROCm's own library.
        rule: The code of the rule that rewrites it; ``hipify-py explain`` has its page.
        advice: What a colleague would say.
        cuda: Of a HIP name: the CUDA names that become it.
        rows: Of a library: its names and headers, sorted.
    """

    name: str
    topic: Topic
    has_counterpart: bool
    hip: str = ""
    library: str = ""
    kind: str = ""
    support: Support | None = None
    headers: tuple[str, ...] = ()
    since: str = ""
    missing: str = ""
    forms: tuple[str, ...] = ()
    cuda_signature: str = ""
    hip_signature: str = ""
    differs: tuple[str, ...] = ()
    roc: str = ""
    rule: str = ""
    advice: str = ""
    cuda: tuple[str, ...] = ()
    rows: tuple[Mapping | HeaderMapping, ...] = ()

    @property
    def totals(self) -> dict[Support, int]:
        """Of a library: how many of its names HIP has, by support."""
        counts = Counter(row.support for row in self.rows if isinstance(row, Mapping))
        return {support: counts[support] for support in Support}


def query(name: str, *, settings: Settings | None = None) -> Answer:
    """Say what a CUDA name, header or library is called in HIP, since when, and what differs.

    Args:
        name: Such as ``cudaMalloc``, ``cub::BlockReduce``, ``cublas_v2.h`` (brackets or quotes are taken off), ``cuBLAS``; a
            HIP name is answered with the CUDA names that become it.
        settings: ``rocm``, ``target_libraries`` and ``mappings`` count; default: :class:`Settings`.

    Raises:
        UnknownNameError: No table knows it; the message has what is near.
    """
    settings = settings or Settings()
    return _Lookup(MappingTable.load(settings.target_libraries, settings.mappings), settings.rocm).answer(name)


def rule(mapping: Mapping) -> str:
    """The code of the rule that rewrites a name; empty where it stays as it is."""
    from hipify_py.rules import builtins, guards  # noqa: PLC0415 - they hold the names that they are about

    special = _special().get(mapping.cuda) or guards.code_of(mapping.cuda.encode())
    if special:
        return special
    if mapping.cuda.encode() in builtins.AXES_OF:
        return builtins.CODE
    return "HPY101" if mapping.hip and mapping.hip != mapping.cuda else ""


@cache
def _special() -> dict[str, str]:
    found: dict[str, str] = {}
    for table, column, code in reversed(_RULES):
        found |= {row[column]: code for row in csv.DictReader(_text(table).splitlines())}
    found |= {row["name"]: _COLLECTIVES.get(row["what"].split()[0], "HPY302")
              for row in csv.DictReader(_text("collectives").splitlines())}
    return found | {row["name"]: row["code"] for row in csv.DictReader(_text(_REWRITTEN).splitlines())}


@cache
def _text(table: str) -> str:
    return resources.files("hipify_py.mapping").joinpath(f"{table}.csv").read_text(encoding="utf-8")


@dataclass(frozen=True, slots=True)
class _Lookup:
    """The tables, and the HIP that has to have the answer."""

    tables: MappingTable
    rocm: Version | None

    def answer(self, name: str) -> Answer:
        """The answer for what somebody typed."""
        text = name.strip().removeprefix("#include").strip()
        spelled = text.strip("<>\"") if text[:1] in ("<", '"') else text
        path = _PATH.fullmatch(spelled)
        if path is not None:
            mapping = self.tables.lookup(path[1].encode())
            # A lone namespace is asked for as the library that it is: `cub`.
            if mapping is not None and (mapping.kind != Kind.NAMESPACE.value or library(spelled) is None):
                return self._row(mapping)
        header = self._find_header(spelled)
        if header is not None:
            return _header(header)
        found = library(spelled) if _LIBRARY.fullmatch(spelled) else None
        if found is not None:
            return self._library(found)
        unlisted = family_called(spelled)
        if unlisted is not None:
            return Answer(unlisted.library, Topic.LIBRARY, False, library=unlisted.library, advice=unlisted.advice)
        answer = (self._scope(path[1]) or self._reverse(path[1]) or _by_spelling(path[1])) if path is not None else (
            self._reverse(spelled) or _by_spelling(spelled, What.HEADER))
        if answer is None:
            raise UnknownNameError(self._unknown(path[1] if path is not None else spelled))
        return answer

    def _row(self, mapping: Mapping) -> Answer:
        target = mapping.hip
        late = bool(target) and self._is_late(mapping)
        forms = _forms(mapping, self.tables.target_libraries)
        theirs = signature(Side.CUDA, mapping.cuda)
        ours = signature(Side.HIP, target) if target else ""
        compared = theirs and ours and not mapping.kind.startswith("device")
        own, code = mapping.cuda.encode() in self.tables.own, rule(mapping)
        return Answer(
            mapping.cuda, Topic.NAME, (mapping.support is not Support.NO and bool(target) and not late) or (
                bool(forms) and not target),
            hip=target, library="" if own else _library_name(mapping.library), kind=mapping.kind, support=mapping.support,
            headers=headers_for(self.tables, mapping) if target and not own else (), since=mapping.hip_since if target else "",
            missing=f"HIP {self.rocm} does not have it" if late else "", forms=forms, cuda_signature=theirs,
            hip_signature=ours, differs=(*(differences(self.tables, theirs, ours) if compared else ()),
                                         *(_recorded(mapping) if target else ())),
            roc=mapping.roc if mapping.roc != target else "", advice=_texture_advice(mapping.cuda) or advice_for(mapping),
            rule="HPY116" if own and target != mapping.cuda else "" if code == "HPY203" and not target and not forms else code)

    def _is_late(self, mapping: Mapping) -> bool:
        return self.rocm is not None and is_newer(mapping.hip_since, self.rocm)

    def _find_header(self, name: str) -> HeaderMapping | None:
        if not _HEADER.fullmatch(name):
            return None
        found = self.tables.header(name.encode())
        if found is not None:
            return found._replace(cuda=name)
        # The folder of a library that keeps its names: thrust/sort.h.
        folder, slash, _ = name.partition("/")
        scope = self.tables.lookup(folder.encode()) if slash else None
        if scope is None or scope.kind != Kind.NAMESPACE.value or scope.hip != scope.cuda:
            return None
        return HeaderMapping(name, name, scope.library, Support.YES, False, scope.advice)

    def _scope(self, name: str) -> Answer | None:
        """The answer for ``cub::BlockReduce``, whose namespace stands in the tables and it does not."""
        prefix, separator, rest = name.rpartition("::")
        while separator:
            mapping = self.tables.lookup(prefix.encode())
            if mapping is not None and mapping.kind == Kind.NAMESPACE.value:
                known = self._row(mapping)
                return replace(known, name=name, hip=f"{mapping.hip}::{rest}" if mapping.hip else "", kind="",
                               advice=advice_for(mapping) or "only its namespace is in a table: check that HIP has the name")
            prefix, separator, last = prefix.rpartition("::")
            rest = f"{last}::{rest}"
        return None

    def _reverse(self, name: str) -> Answer | None:
        """The answer for what is HIP's already."""
        rows = [row for row in map(self.tables.lookup, self.tables) if row is not None and name and name in (row.hip, row.roc)]
        headers = [row for row in map(self.tables.header, self.tables.headers()) if row is not None and row.hip == name != ""]
        names = sorted({*(row.cuda for row in rows), *(row.cuda for row in headers)})
        return Answer(name, Topic.HIP_NAME, True, hip=name, cuda=tuple(names)) if names else None

    def _library(self, found: Library) -> Answer:
        rows = sorted((row for row in map(self.tables.lookup, self.tables) if row is not None and row.library == found.table),
                      key=lambda row: row.cuda)
        rows = [row._replace(support=Support.NO, hip="", advice=f"since HIP {row.hip_since}") if self._is_late(row) else row
                for row in rows]
        headers = [row for row in map(self.tables.header, self.tables.headers()) if row is not None
                   and row.library == found.table]
        target = " or ".join(filter(None, (found.hip, found.roc)))
        return Answer(found.cuda, Topic.LIBRARY, any(row.support is not Support.NO for row in rows), hip=target,
                      library=found.cuda, rows=(*headers, *rows), missing=(
                          f"names newer than HIP {self.rocm} count as missing" if self.rocm is not None else ""))

    def _unknown(self, name: str) -> str:
        if not name:
            return "an empty name is asked for: give a CUDA name, a header, or a library such as `cuBLAS`"
        near = list(dict.fromkeys((*self._same_ending(name), *self._close(name))))[:_NEAR]
        hint = f" (near: {', '.join(near)})" if near else ""
        shown = " ".join(name.encode("utf-8", "replace").decode().split())
        return f"`{shown}` is in no table{hint}: ask for a CUDA name, a header, or a library such as `cuBLAS`"

    def _same_ending(self, name: str) -> list[str]:
        """Names that end in the same word: ``cooperative_groups::reduce`` for ``cg::reduce``."""
        last = name.rpartition("::")[2]
        return sorted(each for each in map(bytes.decode, self.tables) if "::" in each and each.rpartition("::")[2] == last)

    def _close(self, name: str) -> list[str]:
        known = [each.decode() for each in (*self.tables, *self.tables.headers())] + [
            word for each in LIBRARIES for word in (each.table, each.cuda)]
        near = get_close_matches(name, known, _NEAR, 0.75)
        if near:
            return near
        folded = {each.lower(): each for each in known}
        return [folded[each] for each in get_close_matches(name.lower(), list(folded), _NEAR, 0.75)]


def _forms(mapping: Mapping, target_libraries: str) -> tuple[str, ...]:
    """How a call is written where not its name alone changes."""
    found: list[str] = []
    for table in ("call_forms", "intrinsics"):
        if f"\n{mapping.cuda}," in _text(table):
            rows = (row for row in csv.DictReader(_text(table).splitlines()) if row["cuda"] == mapping.cuda and row["hip"])
            found += [f"{row['count']} arguments: {row['hip'].removeprefix('=')}" for row in rows
                      if ("(" in row["hip"] or not mapping.hip)
                      and ("roc" not in row.get("when", "").split() or target_libraries == "roc")]
    found += [f"{row['count']} arguments: a loop over the parts of a word"
              for row in csv.DictReader(_text("simd").splitlines()) if row["cuda"] == mapping.cuda]
    found += [row["form"] for row in csv.DictReader(_text(_REWRITTEN).splitlines()) if row["name"] == mapping.cuda]
    return tuple(dict.fromkeys(found))


def _by_spelling(name: str, what: What = What.NAME) -> Answer | None:
    """The answer for a name, or a header, of a library that no table lists name by name."""
    found = family(name.encode("utf-8", "surrogateescape"), what)
    return None if found is None else Answer(name, Topic.NAME if what is What.NAME else Topic.HEADER, False,
                                             library=found.library, support=Support.NO, advice=found.advice)


def _recorded(mapping: Mapping) -> list[str]:
    """What the check of the headers has put on record about a counterpart's number and result."""
    said = {"value": "its number is {0} instead of {1}", "result": "it gives back `{0}` instead of `{1}`"}
    return [said[each.what].format(each.ours, each.theirs) for each in recorded.load().get(mapping.cuda.encode(), ())
            if each.what in said]


def _texture_advice(name: str) -> str:
    return next((row["advice"] for row in csv.DictReader(_text("textures").splitlines()) if row["name"] == name), "")


def _library_name(table: str) -> str:
    found = library(table)
    return table if found is None else found.cuda


def _header(header: HeaderMapping) -> Answer:
    return Answer(header.cuda, Topic.HEADER, header.support is not Support.NO, hip=header.hip, support=header.support,
                  library=_library_name(header.library), headers=(header.hip,) if header.hip else (), advice=header.advice,
                  rule="HPY402" if not header.hip else "HPY103" if header.hip != header.cuda else "")
