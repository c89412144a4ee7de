"""What the mapping tables say about a name, a header or a library, for people and for programs."""

from __future__ import annotations

import csv
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cache
from importlib import resources

from hipify_py.mapping import HeaderMapping, Mapping, MappingTable, Support
from hipify_py.mapping.advice import advice_for
from hipify_py.mapping.families import What, family
from hipify_py.mapping.libraries import LIBRARIES, Library, library
from hipify_py.mapping.records import OWN, Kind
from hipify_py.mapping.signatures import Side, arguments, signature
from hipify_py.settings import Version

_SUPPORT = {Support.YES: "", Support.EXPERIMENTAL: "experimental in HIP",
            Support.CHANGED: "takes other arguments in HIP, or means something else",
            Support.NO: "has no counterpart in HIP"}
_NEAR = 5
_OLDEST = "5.2"
#: Tables that a rule of their own goes by: file, column of the CUDA name, code.
_RULES = (("call_forms", "cuda", "HPY203"), ("intrinsics", "cuda", "HPY211"), ("textures", "name", "HPY306"),
          ("definitions", "name", "HPY307"))
_BY_KIND = {Kind.BUILTIN.value: "HPY202"}
_WORD = re.compile(r"[A-Za-z_]\w*")
_COLLECTIVE = re.compile(r"__(?:shfl|ballot|any|all|activemask|syncwarp|match|reduce)\w*")


class UnknownNameError(ValueError):
    """No table knows the name: one line with what is near."""


@dataclass(frozen=True, slots=True)
class Answer:
    """The answer for one name.

    Args:
        name: What was asked for.
        what: ``name``, ``header``, ``library`` or ``hip-name``.
        has_counterpart: Whether HIP (of the version asked for) has it.
        facts: What is known, in order: a label, and a text or several.
    """

    name: str
    what: str
    has_counterpart: bool
    facts: tuple[tuple[str, str | tuple[str, ...]], ...]

    def text(self) -> str:
        """Lines for a person; the first fact heads them."""
        lines = []
        for label, value in self.facts:
            if label == "answer":
                lines.append(str(value))
            elif isinstance(value, str):
                lines.append(f"  {label}: {value}")
            else:
                lines.append(f"  {label}:")
                lines += [f"    {each}" for each in value]
        return "\n".join(lines) + "\n"

    def record(self) -> dict[str, object]:
        """The same for a program: see ``docs/json.md``."""
        facts = {label.replace("in ROCm's own library", "roc").replace(" ", "_"):
                 list(value) if isinstance(value, tuple) else value for label, value in self.facts}
        return {"name": self.name, "kind_of_answer": self.what, "has_counterpart": self.has_counterpart, **facts}


def answer(tables: MappingTable, name: str, rocm: Version | None = None) -> Answer:
    """The answer for a CUDA name, a header, a library, or a HIP name that CUDA names become.

    Args:
        tables: The tables, those of the person's own included.
        name: Such as ``cudaMalloc``, ``cub::BlockReduce``, ``cublas_v2.h`` (brackets or quotes are taken off), ``cuBLAS``.
        rocm: The HIP that has to have it; None: any.

    Raises:
        UnknownNameError: No table knows it.
    """
    plain = name.strip().removeprefix("#include").strip().strip("<>\"").removeprefix("::")
    key = plain.encode("utf-8", "surrogateescape")
    mapping = tables.lookup(key)
    if mapping is not None:
        return _row(tables, mapping, rocm)
    header = tables.header(key)
    if header is not None:
        return _header(header)
    found = library(plain) if plain else None
    if found is not None:
        return _library(tables, found)
    scope = _scope(tables, plain)
    if scope is not None:
        return scope
    outside = _outside(plain)
    if outside is not None:
        return outside
    reverse = sorted(row.cuda for row in map(tables.lookup, tables) if row is not None and plain and plain in (row.hip, row.roc))
    if reverse:
        facts = (("answer", f"{plain}: a HIP name, the counterpart of {', '.join(reverse)}"), ("cuda", tuple(reverse)))
        return Answer(plain, "hip-name", True, facts)
    raise UnknownNameError(_unknown(tables, plain))


def _scope(tables: MappingTable, name: str) -> Answer | None:
    """The answer for ``cub::BlockReduce``, whose namespace stands in the tables and it does not."""
    prefix, separator, rest = name.rpartition("::")
    while separator:
        mapping = tables.lookup(prefix.encode())
        if mapping is not None and mapping.kind == Kind.NAMESPACE.value:
            target = f"{mapping.hip}::{rest}"
            facts = [("answer", f"{name} -> {target}" if mapping.hip else f"{name}: no counterpart in HIP"),
                     ("library", f"{_library_name(mapping)} (by its namespace `{mapping.cuda}`: the name is in no table)")]
            facts += [("hip", target), ("rule", "HPY101")] if mapping.hip else []
            facts += [("advice", advice)] if (advice := advice_for(mapping)) else []
            return Answer(name, "name", bool(mapping.hip), tuple(facts))
        prefix, separator, last = prefix.rpartition("::")
        rest = f"{last}::{rest}"
    return None


def _outside(name: str) -> Answer | None:
    """The answer for a name, or a header, of a library of NVIDIA's that has no table."""
    for what in (What.NAME, What.HEADER):
        found = family(name.encode("utf-8", "surrogateescape"), what)
        if found is not None:
            shown = f"<{name}>" if what is What.HEADER else name
            facts = (("answer", f"{shown}: no counterpart in HIP"),
                     ("library", f"{found.library} (by its spelling: it is in no table)"), ("advice", found.advice))
            return Answer(name, what.value, False, facts)
    return None


def _row(tables: MappingTable, mapping: Mapping, rocm: Version | None) -> Answer:
    target, since = mapping.hip, mapping.hip_since
    late = rocm is not None and since and _newer(since, rocm)
    forms = _forms(mapping.cuda, tables.target_libraries)
    has = (mapping.support is not Support.NO and bool(target) and not late) or (bool(forms) and not target)
    facts: list[tuple[str, str | tuple[str, ...]]] = [
        ("answer", f"{mapping.cuda} -> {target}" if target else f"{mapping.cuda}: no name in HIP, written in another way"
         if forms else f"{mapping.cuda}: no counterpart in HIP"),
        ("library", f"{_library_name(mapping)} ({mapping.kind})")]
    if forms:
        facts.append(("forms", forms))
    if target:
        facts.append(("hip", target))
        headers = sorted({found.hip for found in map(tables.header, tables.headers()) if found is not None
                          and found.hip and found.library == mapping.library and "*" not in found.cuda})
        if headers:
            facts.append(("header", _main(headers, mapping.library)))
        if since:
            facts.append(("since", "HIP 5.2 or older" if since == _OLDEST else f"HIP {since}"))
    if late:
        facts.append(("missing", f"HIP {rocm} does not have it"))
    if _SUPPORT[mapping.support] and target:
        facts.append(("note", _SUPPORT[mapping.support]))
    facts += _signatures(tables, mapping)
    if mapping.roc and mapping.roc != target:
        facts.append(("in ROCm's own library", f"{mapping.roc} (--target-libraries roc)"))
    if has or target or forms:
        facts.append(("rule", rule(mapping)))
    if advice := advice_for(mapping):
        facts.append(("advice", advice))
    return Answer(mapping.cuda, "name", has, tuple(facts))


def rule(mapping: Mapping) -> str:
    """The code of the rule that rewrites a name; ``hipify-py explain`` has its page."""
    special = _special().get(mapping.cuda)
    if special is not None:
        return special
    if _COLLECTIVE.fullmatch(mapping.cuda):
        return "HPY302"
    return _BY_KIND.get(mapping.kind, "HPY101")


def _forms(name: str, target_libraries: str) -> tuple[str, ...]:
    """How a call is written where its form changes: ``{0}`` stands for its first argument."""
    found = []
    for table in ("call_forms", "intrinsics"):
        text = resources.files("hipify_py.mapping").joinpath(f"{table}.csv").read_text(encoding="utf-8")
        if f"\n{name}," in text:
            rows = (row for row in csv.DictReader(text.splitlines()) if row["cuda"] == name and row["hip"])
            found += [f"{row['count']} arguments: {row['hip'].removeprefix('=')}" for row in rows
                      if "(" in row["hip"] and ("roc" not in row.get("when", "").split() or target_libraries == "roc")]
    return tuple(dict.fromkeys(found))


@cache
def _special() -> dict[str, str]:
    found: dict[str, str] = {}
    for table, column, code in reversed(_RULES):
        text = resources.files("hipify_py.mapping").joinpath(f"{table}.csv").read_text(encoding="utf-8")
        found |= {row[column]: code for row in csv.DictReader(text.splitlines())}
    return found


def _signatures(tables: MappingTable, mapping: Mapping) -> Iterator[tuple[str, str | tuple[str, ...]]]:
    theirs = signature(Side.CUDA, mapping.cuda)
    ours = signature(Side.HIP, mapping.hip) if mapping.hip else ""
    if theirs:
        yield "CUDA signature", theirs
    if ours:
        yield "HIP signature", ours
    if theirs and ours and not mapping.kind.startswith("device"):
        differing = tuple(_differences(tables, arguments(theirs), arguments(ours)))
        if differing:
            yield "differs", differing


def _differences(tables: MappingTable, theirs: list[str], ours: list[str]) -> Iterator[str]:
    """What differs between two lists of parameters, once CUDA's types have HIP's names."""
    if len(theirs) != len(ours):
        yield f"{len(ours)} arguments instead of {len(theirs)}"
    for number, (left, right) in enumerate(zip(theirs, ours, strict=False), 1):
        if _type(tables, left) != _type(tables, right):
            yield f"argument {number}: `{right}` instead of `{left}`"


def _type(tables: MappingTable, parameter: str) -> str:
    """A parameter's type without its name, with HIP's names for CUDA's types."""
    text = parameter.partition(" =")[0]
    words = _WORD.findall(text)
    if len(words) > 1 and text.rstrip().endswith(words[-1]) and words[-1] not in ("int", "long", "char", "short", "t"):
        text = text.rstrip()[: -len(words[-1])]

    def renamed(match: re.Match[str]) -> str:
        row = tables.lookup(match[0].encode())
        return row.hip if row is not None and row.hip else "" if match[0] in ("const", "enum", "struct") else match[0]

    return re.sub(r"\s+|_t\b", "", _WORD.sub(renamed, text))


def _library_name(mapping: Mapping) -> str:
    if mapping.library == OWN:
        return "a table of your own"
    found = library(mapping.library)
    return mapping.library if found is None else found.cuda


def _main(headers: list[str], table: str) -> str:
    """The one header that a person would include."""
    for wanted in (f"hip{table}/hip{table}.h", "hip/hip_runtime.h"):
        if wanted in headers:
            return f"<{wanted}>"
    return ", ".join(f"<{header}>" for header in headers[:3])


def _header(header: HeaderMapping) -> Answer:
    has = header.support is not Support.NO
    facts: list[tuple[str, str | tuple[str, ...]]] = [
        ("answer", f"<{header.cuda}> -> <{header.hip}>" if header.hip else f"<{header.cuda}>: no counterpart in HIP"),
        ("library", f"{header.library} (header)")]
    if header.hip:
        facts.append(("hip", header.hip))
    if header.advice:
        facts.append(("advice", header.advice))
    return Answer(header.cuda, "header", has, tuple(facts))


def _library(tables: MappingTable, found: Library) -> Answer:
    rows = sorted((row for row in map(tables.lookup, tables) if row is not None and row.library == found.table),
                  key=lambda row: row.cuda)
    counts = Counter(row.support for row in rows)
    target = " or ".join(filter(None, (found.hip, found.roc))) or "no counterpart"
    totals = [f"{counts[Support.YES] + counts[Support.EXPERIMENTAL]} with a counterpart",
              f"{counts[Support.CHANGED]} with other arguments", f"{counts[Support.NO]} without"]
    headers = tuple(f"<{row.cuda}> -> <{row.hip}>" if row.hip else f"<{row.cuda}>: none"
                    for row in map(tables.header, tables.headers()) if row is not None and row.library == found.table)
    facts: list[tuple[str, str | tuple[str, ...]]] = [
        ("answer", f"{found.cuda} -> {target}: {len(rows)} names, {', '.join(totals)}")]
    if headers:
        facts.append(("headers", headers))
    facts.append(("names", tuple(f"{row.cuda} -> {row.hip}" if row.hip else f"{row.cuda}: none" for row in rows)))
    return Answer(found.cuda, "library", bool(found.hip) and len(rows) > counts[Support.NO], tuple(facts))


def _newer(since: str, wanted: Version) -> bool:
    version = Version.parse(since)  # the oldest number stands for everything older, too
    return since != _OLDEST and (version.major, version.minor) > (wanted.major, wanted.minor)


def _unknown(tables: MappingTable, name: str) -> str:
    known = [each.decode() for each in (*tables, *tables.headers())] + [
        word for each in LIBRARIES for word in (each.table, each.cuda)]
    near = get_close_matches(name, known, _NEAR, 0.75)
    if not near:
        folded = {each.lower(): each for each in known}
        near = [folded[each] for each in get_close_matches(name.lower(), list(folded), _NEAR, 0.75)]
    if not name:
        return "an empty name is asked for: give a CUDA name, a header, or a library such as `cuBLAS`"
    hint = f" (near: {', '.join(near)})" if near else ""
    shown = name.encode("utf-8", "replace").decode()
    return f"`{shown}` is in no table{hint}: ask for a CUDA name, a header, or a library such as `cuBLAS`"
