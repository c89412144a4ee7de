"""A tree of 500 real-looking files, made from the repository's kernels: the same bytes each time."""

from __future__ import annotations

import random
import re
from pathlib import Path

from benchmarks.sources import KERNELS

_INCLUDE = re.compile(rb"^#include.*\n", re.MULTILINE)
_NAME = re.compile(rb"\b(?:__global__\s+void|void|int|float)\s+(\w+)\s*\(")
FOLDERS = ("", "core", "core/detail", "math", "ops/conv", "ops/norm", "util")


def make(root: Path, count: int = 500, seed: int = 1) -> None:
    """Write a tree: of ten files six are CUDA sources, two headers with device code, one a host header, one a host source.

    Each source is one or two kernels under names of its own, with includes of headers beside it and in other folders.
    """
    draw = random.Random(seed)
    kernels = [(path.parent.name, path.read_bytes()) for path in sorted(KERNELS.glob("*/kernel.cu"))]
    headers: list[str] = []
    for number in range(count):
        folder = FOLDERS[draw.randrange(len(FOLDERS))]
        kind = number % 10
        name, text = kernels[draw.randrange(len(kernels))]
        if kind in (0, 1):
            name, text = f"{name}_{number}.cuh", _header(number, text)
        elif kind == 2:
            name, text = f"config_{number}.h", _host_header(number)
        elif kind == 3:
            name, text = f"tool_{number}.cpp", _host_source(number)
        else:
            if draw.random() < 0.4:
                text += _INCLUDE.sub(b"", kernels[draw.randrange(len(kernels))][1])
            text = _own_names(number, text)
            wanted = [_relative(folder, each) for each in draw.sample(headers, min(len(headers), draw.randrange(4)))]
            text = b"".join(b'#include "%s"\n' % each.encode() for each in wanted) + text
            name = f"{name}_{number}.cu"
        path = root / folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text)
        if kind in (0, 1, 2):
            headers.append(f"{folder}/{name}".lstrip("/"))


def _own_names(number: int, text: bytes) -> bytes:
    """The text with its functions renamed, so that no two files are alike."""
    for name in sorted(set(_NAME.findall(text)), key=len, reverse=True):
        text = re.sub(rb"\b" + name + rb"\b", b"%s_%d" % (name, number), text)
    return b"// File %d.\n" % number + text


def _header(number: int, text: bytes) -> bytes:
    return b"#pragma once\n" + _own_names(number, text)


def _host_header(number: int) -> bytes:
    return b"#pragma once\n" + b"".join(b"#define OPTION_%d_%d %d\n" % (number, each, each) for each in range(30)) + (
        b"struct Config%d { int width, height; float scale; };\n" % number)


def _host_source(number: int) -> bytes:
    return b"#include <cstdio>\n#include <vector>\n" + b"".join(
        b"int tool_%d_%d(const std::vector<int> &v) { int s = 0; for (int x : v) s += x * %d; return s; }\n"
        % (number, each, each) for each in range(20))


def _relative(folder: str, header: str) -> str:
    """The header as a file in a folder writes it."""
    return "../" * (folder.count("/") + bool(folder)) + header
