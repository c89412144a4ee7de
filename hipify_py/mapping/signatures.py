"""The signatures on both sides of a mapping, for ``hipify-py query``: facts read from the real headers.

``python -m hipify_py.mapping.signatures`` (a developer's command) writes ``signatures.csv`` from the headers of CUDA and
HIP; translating does not load it.
"""

from __future__ import annotations

import argparse
import csv
import io
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from enum import Enum
from functools import cache
from importlib import resources
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING

from hipify_py.mapping.records import Kind

if TYPE_CHECKING:
    from hipify_py.mapping.table import MappingTable

FILE = "signatures.csv"
_WORD = re.compile(r"[A-Za-z_]\w*")
_NAME = re.compile(r"[\w>*&\s]\b([A-Za-z_]\w*)$")
_ARRAY = re.compile(r"(?:\[[^\]]*\])+$")
_QUALIFIER = re.compile(r"\b(?:const|volatile|enum|struct|class|union)\b")
#: Last words of a type: a parameter that ends in one has no name.
_TYPE_WORDS = frozenset(("int", "long", "char", "short", "float", "double", "unsigned", "void", "bool", "const"))


class Side(Enum):
    """Whose a declaration is."""

    CUDA = "cuda"
    HIP = "hip"


#: In the column ``side``: the same text on both sides; what a type stands for.
_BOTH, _ALIAS = "both", "-type"


@cache
def _all() -> dict[tuple[str, str], str]:
    text = resources.files("hipify_py.mapping").joinpath(FILE).read_text(encoding="utf-8")
    found: dict[tuple[str, str], str] = {}
    for side, name, declared in csv.reader(text.splitlines()[1:]):
        for each in (Side.CUDA.value, Side.HIP.value) if side == _BOTH else (side,):
            found[each, name] = declared
    return found


def signature(side: Side, name: str) -> str:
    """The prototype of a function, ``hipError_t hipFree(void *ptr)``; empty if it is none, or not known.

    Of a device function's overloads, it is the one that the other side's is most like.

    Args:
        side: Whose function it is; device functions are often called the same on both.
        name: Its name.
    """
    return _all().get((side.value, name), "")


def meaning(side: Side, name: str) -> str:
    """What the name of a type stands for in the end (``int`` for ``hipDevice_t``); empty if that is not known."""
    return _all().get((side.value + _ALIAS, name), "")


def arguments(prototype: str) -> list[str]:
    """The parameters of a prototype, each as it is written."""
    inside = prototype.partition("(")[2].rpartition(")")[0]
    found, depth, start = [], 0, 0
    for place, letter in enumerate(inside):
        depth += letter in "(<["
        depth -= letter in ")>]"
        if letter == "," and depth == 0:
            found.append(inside[start:place].strip())
            start = place + 1
    rest = inside[start:].strip()
    return [*found, rest] if rest else found


def differences(tables: MappingTable, cuda: str, hip: str,
                means: Callable[[Side, str], str] = meaning) -> Iterator[str]:
    """What differs between the parameters of two prototypes, once CUDA's types have HIP's names; ``const`` does not count.

    Args:
        tables: The names of types.
        cuda: CUDA's prototype.
        hip: HIP's.
        means: What the name of a type stands for, as :func:`meaning` has it.
    """
    theirs, ours = arguments(cuda), arguments(hip)
    optional = len(theirs) < len(ours) and all(each.endswith("= ...") for each in ours[len(theirs) :])
    if len(theirs) != len(ours) and not optional:
        yield f"{len(ours)} arguments instead of {len(theirs)}"
    for number, (left, right) in enumerate(zip(theirs, ours, strict=False), 1):
        if _type(left, tables, means) != _type(right, None, means):
            yield f"argument {number}: `{right}` instead of `{left}`"


def _type(parameter: str, tables: MappingTable | None, means: Callable[[Side, str], str]) -> str:
    """A parameter's type without its name: CUDA's in HIP's words where there are tables, down to what names stand for."""
    text = parameter.partition(" =")[0].strip()
    arrays = _ARRAY.search(text)
    if arrays is not None:
        text = text[: arrays.start()]
    name = _NAME.search(text)
    if name is not None and name[1] not in _TYPE_WORDS:
        text = text[: name.start(1)]
    text += "*" * arrays[0].count("[") if arrays is not None else ""

    def renamed(match: re.Match[str]) -> str:
        word = match[0]
        row = tables.lookup(word.encode()) if tables is not None else None
        if row is not None and row.hip:
            return means(Side.HIP, row.hip) or row.hip
        return means(Side.CUDA if tables is not None else Side.HIP, word) or word

    return re.sub(r"\s+|(?:::)", "", _QUALIFIER.sub("", _WORD.sub(renamed, _QUALIFIER.sub("", text))))


def generate(hip_root: Path, cuda_includes: Sequence[Path]) -> str:
    """Read the headers and put the signatures of all functions of our tables together.

    Args:
        hip_root: A root with ``usr/include/hip``.
        cuda_includes: Folders of CUDA headers, the newest last; it wins.

    Returns:
        The text of the CSV.
    """
    from hipify_py.clang.declared import cuda_installation, hip_installation, system_words  # noqa: PLC0415
    from hipify_py.clang.prototypes import Prototypes, prototypes  # noqa: PLC0415 - a developer's command
    from hipify_py.mapping.header_lists import CUDA_HEADERS, HIP_HEADERS  # noqa: PLC0415
    from hipify_py.mapping.table import MappingTable  # noqa: PLC0415

    theirs = Prototypes()
    hip = hip_installation(hip_root, [header for group in HIP_HEADERS.values() for header in group])
    system = system_words(hip_root)
    for include in cuda_includes:
        theirs.update(prototypes(CUDA_HEADERS, cuda_installation(include, (), system=system).arguments))
    ours = prototypes(hip.headers, hip.arguments)
    aliases = {Side.CUDA: theirs.aliases, Side.HIP: ours.aliases}
    table = MappingTable.load()
    chosen: dict[tuple[Side, str], str] = {}
    compared: set[tuple[Side, str]] = set()
    for mapping in map(table.lookup, table):
        if mapping is None or not mapping.kind.endswith("function"):
            continue
        left, right = _versioned(theirs.functions, mapping.cuda), ours.functions.get(mapping.hip, [])
        if left and right and mapping.kind == Kind.DEVICE_FUNCTION.value:
            left, right = _most_alike(table, left, right, aliases)
        chosen.update(((Side.CUDA, mapping.cuda), each) for each in left[:1])
        chosen.update(((Side.HIP, mapping.hip), each) for each in right[:1])
        for each in ours.functions.get(mapping.roc, [])[:1]:
            chosen.setdefault((Side.HIP, mapping.roc), each)
        if left and right:
            compared |= {(Side.CUDA, mapping.cuda), (Side.HIP, mapping.hip), (Side.HIP, mapping.roc)} & chosen.keys()
    rows = {(_BOTH if chosen.get((Side.CUDA if side is Side.HIP else Side.HIP, name)) == text else side.value, name, text)
            for (side, name), text in chosen.items()}
    words = {(side, word) for side, name in compared for word in _WORD.findall(chosen[side, name])}
    rows |= {(side.value + _ALIAS, word, aliases[side][word]) for side, word in words
             if _is_telling(word, aliases[side].get(word, "")) and not (side is Side.CUDA and _has_hip(table, word))}
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(("side", "name", "declared"))
    writer.writerows(sorted(rows))
    return text.getvalue()


def _most_alike(table: MappingTable, left: list[str], right: list[str],
                aliases: dict[Side, dict[str, str]]) -> tuple[list[str], list[str]]:
    """Of two lists of overloads, the two that differ least."""
    def distance(pair: tuple[str, str]) -> int:
        return sum(1 for _ in differences(table, *pair, lambda side, name: aliases[side].get(name, "")))

    one, other = min(product(left, right), key=distance)
    return [one], [other]


def _has_hip(table: MappingTable, word: str) -> bool:
    row = table.lookup(word.encode())
    return row is not None and bool(row.hip)


def _is_telling(word: str, kind: str) -> bool:
    """Whether a name of a type stands for something else that has a name, and is no function's."""
    return bool(kind) and kind != word and "(" not in kind


def _versioned(known: dict[str, list[str]], name: str) -> list[str]:
    """What a name stands for in CUDA's headers: macros make the second version of it, ``cublas.h`` (legacy) apart."""
    second = f"{name}_v2"
    if second in known and (name not in known or name.startswith("cublas")):
        return [each.replace(second, name) for each in known[second]]
    return known.get(name, [])


def main(words: Sequence[str] | None = None) -> int:
    """Write ``signatures.csv`` beside this module."""
    parser = argparse.ArgumentParser(prog="python -m hipify_py.mapping.signatures", description=generate.__doc__)
    parser.add_argument("--hip-root", type=Path, required=True, help="a root with usr/include/hip")
    parser.add_argument("--cuda-include", type=Path, action="append", required=True, help="a folder of CUDA headers; repeat, "
                        "the newest last")
    options = parser.parse_args(words)
    text = generate(options.hip_root, options.cuda_include)
    (Path(__file__).parent / FILE).write_text(text, encoding="utf-8")
    sys.stdout.write(f"{text.count(chr(10)) - 1} signatures\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
