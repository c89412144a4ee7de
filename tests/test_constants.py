"""Integer constants by their text: one definition gives a value, anything else none."""

from __future__ import annotations

import pytest

from hipify_py.constants import Constants


@pytest.mark.parametrize(("text", "value"), [
    ("12", 12), ("0x10u", 16), ("010", 8), ("1'000", 1000), ("96 * 1024", 98304), ("(1u << 20) + 4", 1048580), ("7 / 2", 3),
    ("-7 / 2", -3), ("-7 % 2", -1), ("64 | 1", 65), ("N", 8), ("2 * kRows", 14), ("BYTES", 256), ("T", None), ("n", None),
    ("sizeof(int) * 4", None), ("1 / 0", None), ("f(3)", None), ("1.5", None), ("", None), ("TWICE", None), ("ROUND", None),
    ("Shadow", None), ("1 << 70", 1 << 64),
])
def test_value(text: str, value: int | None) -> None:
    source = (b"#define N 8\n#define BYTES (N * 32) // of a row\nconstexpr unsigned int kRows = N - 1;\n#define TWICE 1\n"
              b"#define TWICE 2\n#define ROUND ROUND + 1\nconst int Shadow = 3;\nvoid f(int n) { int Shadow = n; }\n")
    assert Constants(source).value(text.encode()) == value
