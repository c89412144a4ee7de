"""What the mapping tables say about a name, for people."""

from __future__ import annotations

from difflib import get_close_matches

from hipify_py.mapping import HeaderMapping, Mapping, MappingTable, Support

_SUPPORT = {Support.YES: "", Support.EXPERIMENTAL: "experimental in HIP",
            Support.CHANGED: "takes other arguments in HIP, or means something else: read its page",
            Support.NO: "has no counterpart in HIP"}
_NEAR = 5


def answer(tables: MappingTable, name: str) -> tuple[str, bool]:
    """The answer for a CUDA name, or for a HIP name that a CUDA name becomes.

    Returns:
        Lines of text, and whether the name has a counterpart.
    """
    key = name.strip().encode("utf-8", "surrogateescape")
    mapping = tables.lookup(key)
    if mapping is not None:
        return _row(tables, mapping), mapping.support is not Support.NO
    header = tables.header(key)
    if header is not None:
        return _header(header), header.support is not Support.NO
    reverse = [row for row in map(tables.lookup, tables) if row is not None and name in (row.hip, row.roc)]
    if reverse:
        names = ", ".join(sorted(row.cuda for row in reverse))
        return f"{name}: a HIP name, the counterpart of {names}\n", True
    return _unknown(tables, name), False


def _row(tables: MappingTable, mapping: Mapping) -> str:
    target = mapping.hip
    lines = [f"{mapping.cuda} -> {target}" if target else f"{mapping.cuda}: no counterpart in HIP"]
    lines.append(f"  library: {mapping.library} ({mapping.kind})")
    headers = sorted({found.hip for found in map(tables.header, tables.headers()) if found is not None
                      and found.hip and found.library == mapping.library and "*" not in found.cuda})
    if target and headers:
        lines.append(f"  header: {_main(headers, mapping.library)}")
    if mapping.hip_since:
        since = "5.2 or older" if mapping.hip_since == "5.2" else mapping.hip_since
        lines.append(f"  since: HIP {since}")
    if _SUPPORT[mapping.support] and target:
        lines.append(f"  note: {_SUPPORT[mapping.support]}")
    if mapping.roc and mapping.roc != target:
        lines.append(f"  in ROCm's own library: {mapping.roc} (--target-libraries roc)")
    if mapping.advice:
        lines.append(f"  advice: {mapping.advice}")
    return "\n".join(lines) + "\n"


def _main(headers: list[str], library: str) -> str:
    """The one header that a person would include."""
    for wanted in (f"hip{library}/hip{library}.h", "hip/hip_runtime.h"):
        if wanted in headers:
            return f"<{wanted}>"
    return ", ".join(f"<{header}>" for header in headers[:3])


def _header(header: HeaderMapping) -> str:
    first = f"<{header.cuda}> -> <{header.hip}>" if header.hip else f"<{header.cuda}>: no counterpart in HIP"
    advice = f"\n  advice: {header.advice}" if header.advice else ""
    return f"{first}\n  library: {header.library} (header){advice}\n"


def _unknown(tables: MappingTable, name: str) -> str:
    known = [each.decode() for each in (*tables, *tables.headers())]
    near = get_close_matches(name, known, _NEAR, 0.75)
    if not near:
        folded = {each.lower(): each for each in known}
        near = [folded[each] for each in get_close_matches(name.lower(), list(folded), _NEAR, 0.75)]
    hint = f"; near: {', '.join(near)}" if near else ""
    return f"{name}: in no table{hint}\n"
