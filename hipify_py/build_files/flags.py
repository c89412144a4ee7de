"""Flags: a command line for nvcc, word by word, as one for hipcc. What the words stand in is the caller's business."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from hipify_py.build_files.tables import Flag, flags, library
from hipify_py.diagnostics import Severity

_ARCH = re.compile(r"(?:sm|compute)_(\d+[a-z]?|\$)")
_PLAIN_ARCH = re.compile(r"^(?:sm|compute)_\d+[af]?$")


@dataclass(frozen=True, slots=True)
class Target:
    """What flags are written for.

    Args:
        architectures: ``gfx90a`` ..., from the settings.
        fallback: What stands for them where there are none; empty: the flag is dropped.
        chooser: Who chooses the architecture then, for the message.
        nvcc: Whether these are surely nvcc's flags, so that the short ones count (``-G``, ``-t``).
        elsewhere: Where the architectures are set, if not by flags.
        runtime: What ``-lcudart`` becomes: nothing under hipcc, which links the runtime by itself.
    """

    architectures: tuple[str, ...] = ()
    fallback: str = ""
    chooser: str = "hipcc builds for the GPU of the machine"
    nvcc: bool = False
    elsewhere: str = ""
    runtime: str = ""


@dataclass(frozen=True, slots=True)
class Change:
    """What becomes of the words ``first <= i < end``; ``text`` None: they stay and are reported, empty: they go."""

    first: int
    end: int
    text: str | None
    code: str
    message: str
    severity: Severity = Severity.NOTE


def translate_flags(words: Sequence[str], target: Target) -> Iterator[Change]:
    """Find what is nvcc's among the words of a command line.

    Args:
        words: As the shell would part them, quotes still around them.
        target: What to write.
    """
    seen_arch = False
    index = 0
    while index < len(words):
        word = words[index]
        change = _one(words, index, target, seen_arch)
        if change is None:
            change = _library(word, index, target)
        if change is None:
            index += 1
            continue
        seen_arch = seen_arch or change.code == "HPY505"
        yield change
        index = change.end


def _one(words: Sequence[str], index: int, target: Target, seen_arch: bool) -> Change | None:
    word = words[index]
    if not word.startswith("-") or len(word) < 2:
        return None
    table = flags()
    name, equals, value = word.partition("=")
    row = table.get(word) or table.get(name)
    end = index + 1
    if row is None and index + 1 < len(words):
        row = table.get(f"{word}={words[index + 1]}")  # `-rdc true`
        end = index + 2
    if row is None or (row.scope == "nvcc" and not target.nvcc):
        return None
    if row.value == "yes" and not equals:
        if index + 1 >= len(words):
            return Change(index, end, None, "HPY504", f"the nvcc flag `{word}` has no counterpart in hipcc and its value "
                          "is not here: remove both by hand", Severity.WARNING)
        value = words[index + 1]
        end = index + 2
    elif row.value == "no" and equals and row.flag == name:
        return None
    shown = " ".join(words[index:end])
    return _act(row, shown, _unquoted(value), index, end, target, seen_arch)


def _act(row: Flag, shown: str, value: str, index: int, end: int, target: Target, seen_arch: bool) -> Change | None:
    note = f"; {row.note}" if row.note else ""
    action = row.action
    if action == "keep" or (action == "language" and value != "cu"):
        return None
    if action == "arch":
        return _architecture(shown, value, index, end, target, seen_arch)
    if action == "report":
        return Change(index, end, None, "HPY504", f"hipcc has no flag for `{shown}`: {row.note}", Severity.WARNING)
    if action == "drop":
        why = row.note if row.note.startswith("hipcc ") else f"hipcc has none for it{note}"
        return Change(index, end, "", "HPY504" if row.note and "no flag" not in row.note else "HPY503",
                      f"the nvcc flag `{shown}` was removed: {why}")
    if action == "host":
        text = " ".join(_parts(value))
        return Change(index, end, text, "HPY503", f"the flag `{shown}` became `{text}`: hipcc takes the host compiler's "
                      "options as they are")
    if action == "linker":
        text = "-Wl," + ",".join(_parts(value))
    elif action == "language":
        text = "-x hip"
    elif action == "value":
        text = row.hip + value
    elif action == "library":
        return _library(f"-l{value}", index, target, end) or Change(
            index, end, f"-l{value}", "HPY503", f"the nvcc flag `{shown}` became `-l{value}`")
    else:
        text = row.hip
    return Change(index, end, text, "HPY503", f"the nvcc flag `{shown}` became hipcc's `{text}`{note}")


def _architecture(shown: str, value: str, index: int, end: int, target: Target, seen_arch: bool) -> Change:
    chosen = target.architectures
    if "$" in value and not _ARCH.search(value) and re.fullmatch(r"\$[({]\w+[)}]", value):
        # a variable that holds `sm_80`: its assignment is changed too
        text = f"--offload-arch={value}"
        return Change(index, end, text, "HPY505", f"the architecture flag `{shown}` became `{text}`: the variable has to "
                      "hold AMD architectures (gfx...)", Severity.WARNING)
    if seen_arch:
        return Change(index, end, "", "HPY505", f"the NVIDIA architecture in `{shown}` was removed: AMD architectures "
                      "stand in its place once")
    if chosen and target.elsewhere:
        return Change(index, end, "", "HPY505", f"the NVIDIA architecture in `{shown}` was removed: `{target.elsewhere}` holds "
                      f"{', '.join(chosen)}")
    if chosen:
        text = " ".join(f"--offload-arch={each}" for each in chosen)
        return Change(index, end, text, "HPY505", f"the NVIDIA architecture in `{shown}` became `{text}`")
    if target.fallback:
        text = f"--offload-arch={target.fallback}"
        return Change(index, end, text, "HPY505", f"the NVIDIA architecture in `{shown}` became `{text}`, the GPU of the "
                      "machine that builds (ROCm 5.5 or later): name yours with --offload-arch gfx...", Severity.WARNING)
    return Change(index, end, "", "HPY505", f"the NVIDIA architecture in `{shown}` was removed: {target.chooser}; name "
                  "yours with --offload-arch gfx...", Severity.WARNING)


def _library(word: str, index: int, target: Target, end: int = 0) -> Change | None:
    """``-lcublas``, ``-l:libcublas.so``."""
    end = end or index + 1
    if not word.startswith("-l") or len(word) < 4:
        return None
    row = library(word[2:].removeprefix(":"))
    if row is None or row.support == "target":
        return None
    if row.support == "runtime":
        if target.runtime:
            return Change(index, end, target.runtime, "HPY506", f"the library `{word}` became `{target.runtime}`")
        return Change(index, end, "", "HPY506", f"the library `{word}` was removed: hipcc links HIP's runtime by itself")
    if row.support == "no":
        return Change(index, end, None, "HPY507", f"the library `{word}` has no counterpart: {row.note}", Severity.ERROR)
    text = f"-l{row.hip}"
    if row.support == "differs":
        return Change(index, end, text, "HPY506", f"the library `{word}` became `{text}`: {row.note}", Severity.WARNING)
    return Change(index, end, text, "HPY506", f"the library `{word}` became `{text}`")


def is_plain_architecture(word: str) -> bool:
    """Whether a word is ``sm_80`` or ``compute_80``."""
    return bool(_PLAIN_ARCH.match(word))


def _parts(value: str) -> list[str]:
    """The options in one value of ``-Xcompiler``; commas inside ``$(...)`` part nothing."""
    if "$" in value and (re.search(r"\$[({][^)}]*,", value) or not value.startswith("-")):
        return [value]  # `%,$(FLAGS)` of a `patsubst`
    return [part for part in re.split(r"[,\s]+", value) if part] if not value.startswith("-Wl,") else [value]


def _unquoted(value: str) -> str:
    for quote in ('\\"', '"', "'"):
        if len(value) >= 2 * len(quote) and value.startswith(quote) and value.endswith(quote):
            return value[len(quote) : -len(quote)]
    return value
