"""The answers of ``hipify-py query``, for people and for programs."""

from __future__ import annotations

from collections.abc import Iterator

from hipify_py.lookup import Answer, Topic
from hipify_py.mapping import HeaderMapping, Mapping, Support

_OLDEST = "5.2"
_SUPPORT = {Support.EXPERIMENTAL: "experimental in HIP", Support.CHANGED: "takes other arguments in HIP, or means something else"}
#: The parts of a library's list, in order.
_PARTS = {Support.YES: "with a counterpart", Support.EXPERIMENTAL: "experimental in HIP", Support.CHANGED: "with other arguments",
          Support.NO: "without counterpart"}


def text(answer: Answer) -> str:
    """Lines for a person: the answer, then what is known."""
    lines = [headline(answer)]
    for label, value in _facts(answer):
        if isinstance(value, str):
            lines += [f"  {label}: {value}"] if value else []
        elif value:
            lines += [f"  {label}:", *(f"    {each}" for each in value)]
    return "\n".join(lines) + "\n"


def headline(answer: Answer) -> str:
    """The answer in one line."""
    name = f"<{answer.name}>" if answer.topic is Topic.HEADER else answer.name
    if answer.topic is Topic.HIP_NAME:
        return f"{name}: HIP's already, the counterpart of {', '.join(answer.cuda)}"
    if answer.topic is Topic.LIBRARY and answer.rows:
        counts = [f"{answer.totals[support]} {label}" for support, label in _PARTS.items()
                  if answer.totals[support] or support in (Support.YES, Support.NO)]
        return f"{name} -> {answer.hip or 'no counterpart'}: {sum(answer.totals.values())} names, {', '.join(counts)}"
    if answer.hip:
        return f"{name} -> {f'<{answer.hip}>' if answer.topic is Topic.HEADER else answer.hip}"
    return f"{name}: no name in HIP, written in another way" if answer.forms else f"{name}: no counterpart in HIP"


def _facts(answer: Answer) -> Iterator[tuple[str, str | tuple[str, ...]]]:
    """What stands below the headline: a label, and a text or several."""
    if answer.topic is Topic.NAME:
        yield "library", f"{answer.library or 'a table of your own'}{f' ({answer.kind})' if answer.kind else ''}"
        yield "include", ", ".join(f"<{each}>" for each in answer.headers)
    elif answer.topic is Topic.HEADER:
        yield "library", answer.library
    yield "since", "HIP 5.2 or older" if answer.since == _OLDEST else f"HIP {answer.since}" if answer.since else ""
    yield "missing", answer.missing
    yield "note", _SUPPORT.get(answer.support, "") if answer.support is not None and answer.hip else ""
    yield "CUDA signature", answer.cuda_signature
    yield "HIP signature", answer.hip_signature
    yield "differs", answer.differs
    yield "forms", answer.forms
    yield "in ROCm's own library", f"{answer.roc} (--target-libraries roc)" if answer.roc else ""
    yield "rule", answer.rule
    yield "advice", answer.advice
    yield "headers", tuple(_row(row) for row in answer.rows if isinstance(row, HeaderMapping))
    for support, label in _PARTS.items():
        yield label, tuple(_row(row) for row in answer.rows if isinstance(row, Mapping) and row.support is support)


def _row(row: Mapping | HeaderMapping) -> str:
    if isinstance(row, HeaderMapping):
        return f"<{row.cuda}> -> <{row.hip}>" if row.hip else f"<{row.cuda}>"
    return f"{row.cuda} -> {row.hip}" if row.hip else f"{row.cuda} ({row.advice})" if row.advice else row.cuda


def record(answer: Answer) -> dict[str, object]:
    """The same for a program: see ``docs/json.md``."""
    known: dict[str, object] = {
        "hip": answer.hip, "library": answer.library, "kind": answer.kind,
        "support": answer.support.value if answer.support is not None else "", "headers": list(answer.headers),
        "since": answer.since, "missing": answer.missing, "cuda_signature": answer.cuda_signature,
        "hip_signature": answer.hip_signature, "differs": list(answer.differs), "forms": list(answer.forms), "roc": answer.roc,
        "rule": answer.rule, "advice": answer.advice, "cuda": list(answer.cuda)}
    if answer.rows:
        known["totals"] = {support.value: number for support, number in answer.totals.items()}
        known["names"] = [_record(row) for row in answer.rows if isinstance(row, Mapping)]
        known["header_names"] = [_record(row) for row in answer.rows if isinstance(row, HeaderMapping)]
    return {"name": answer.name, "topic": answer.topic.value, "has_counterpart": answer.has_counterpart,
            **{label: value for label, value in known.items() if value}}


def _record(row: Mapping | HeaderMapping) -> dict[str, str]:
    return {"cuda": row.cuda, "hip": row.hip, "support": row.support.value}
