"""CUDA's SIMD intrinsics (``__vadd4``, ``__vcmpgts2``, ``__viaddmax_s32``) as C++: a loop over the parts of a word. Pure.

A row of ``mapping/simd.csv`` has the name, how many ``parts`` a word has, whether they have a sign (``s``, ``u``), how many
words the function takes, and the ``value`` of a part in terms of those of its arguments, ``x``, ``y`` and ``z``. Values are
cut to the part's width; with ``sum`` in ``how`` they are added up.
"""

from __future__ import annotations

import csv
from collections.abc import Iterator
from importlib import resources

_TYPES = {("s", 1): "int", ("u", 1): "unsigned int", ("s", 2): "short", ("u", 2): "unsigned short", ("s", 4): "signed char",
          ("u", 4): "unsigned char"}


def templates() -> Iterator[tuple[str, int, str]]:
    """Each function: its name, how many arguments it takes, and C++ with ``{0}``, ``{1}`` in their places."""
    text = resources.files("hipify_py").joinpath("mapping/simd.csv").read_text(encoding="utf-8")
    for row in csv.DictReader(text.splitlines()):
        count = int(row["count"])
        part = _TYPES[row["sign"], int(row["parts"])]
        yield row["cuda"], count, _lambda(int(row["parts"]), part, count, row["value"], row["how"] == "sum")


def _lambda(parts: int, part: str, count: int, value: str, total: bool) -> str:
    given = ", ".join(f"{{{index}}}" for index in range(count))
    if parts == 1:
        return f"([]({', '.join(f'{part} {name}' for name in 'xyz'[:count])}) {{ return {value}; }}({given}))"
    width = 32 // parts
    taken = ", ".join(f"{name} = ({part})({word} >> i)" for name, word in zip("xyz"[:count], "abc", strict=False))
    step = f"r += ({value})" if total else f"r |= ((unsigned int)({value}) & {2**width - 1:#x}u) << i"
    words = ", ".join(f"unsigned int {word}" for word in "abc"[:count])
    return (f"([]({words}) {{ unsigned int r = 0; for (int i = 0; i < 32; i += {width}) {{ const int {taken}; "
            f"{step}; }} return r; }}({given}))")
