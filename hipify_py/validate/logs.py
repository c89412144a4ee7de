"""What the CPU device and the sanitizers have printed, as findings with the kernel, the source line, the block and the thread."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Iterator
from dataclasses import replace

from hipify_py.validate.places import Sources
from hipify_py.validate.results import Finding, Kind, Place

_DIM = r"\((\d+),(\d+),(\d+)\)"
#: What the CPU device says of a thread: kernel, fact, block, thread, address in the module.
_THREAD = re.compile(rf"hipcpu: kernel (.+?): (.+?), block {_DIM} thread {_DIM}(?:, at (.+)\+0x([0-9a-f]+))?$")
#: ... and of a block as a whole.
_BLOCK = re.compile(rf"hipcpu: kernel (.+?): block {_DIM}(?:, wave \d+)?: (.*)$")
_AT_LINES = re.compile(r"\(lines (\d+) and (\d+)\)|at line (\d+)")
_FRAME = re.compile(r"^\s*#\d+\s+(?:0x[0-9a-f]+ in )?(.+?) (/.+?):(\d+)(?::\d+)?(?: \(.*\))?$")
_ASAN = re.compile(r"ERROR: AddressSanitizer: (\S+)")
#: How the CPU device's line begins when a sanitizer ends the process, and what of ours its own words replace.
_SANITIZER = "sanitizer"
_ACCESS_FACT = "access outside of what may be touched"
_UBSAN = re.compile(r"^(/.+?):(\d+):\d+: runtime error: (.+)$")
_ACCESS = re.compile(r"^\s*((?:Previous )?(?:atomic )?(?:read|write)) of size (\d+)", re.IGNORECASE)
_KINDS = ((Kind.HANG, ("did not end",)),
          (Kind.OUT_OF_BOUNDS, ("out-of-bounds", "outside of shared", "has been freed", "illegal address")))


def findings(text: str, sources: Sources) -> list[Finding]:
    """The findings in what a run has printed.

    Args:
        text: The standard error of the process.
        sources: For the lines.
    """
    lines = text.splitlines()
    found = [*_sanitizers(lines, sources)]
    who = next((match for match in map(_THREAD.match, lines) if match and match[2].startswith(_SANITIZER)), None)
    if who is not None and found:
        fact = who[2].removeprefix(_SANITIZER).removeprefix(": ")
        message = found[0].message.replace(_ACCESS_FACT, fact) if fact else found[0].message
        found[0] = replace(found[0], message=message, kernel=who[1], block=_dim(who, 3), thread=_dim(who, 6))
    for line in lines:
        match = _THREAD.match(line)
        if match and not match[2].startswith(_SANITIZER):
            found.append(_of_thread(match, sources))
        elif match is None and (match := _BLOCK.match(line)) and "warning:" not in match[5]:
            found.append(_of_block(match, sources))
    return found


def _of_thread(match: re.Match[str], sources: Sources) -> Finding:
    kind = next((kind for kind, words in _KINDS if any(word in match[2] for word in words)), Kind.FAULT)
    places: tuple[Place, ...] = ()
    if match[9]:
        places = tuple(_symbolize(match[9], int(match[10], 16), sources))[:1]
    asserted = re.match(r"(/.+?):(\d+): .*assertion", match[2])
    message = match[2]
    if asserted:
        place = sources.place(asserted[1], int(asserted[2]))
        places = (place,) if place else places
        message = message.partition(": ")[2].partition(": ")[2] or message
    return Finding(kind, message, places or _kernel(match[1], sources), match[1], _dim(match, 3), _dim(match, 6))


def _of_block(match: re.Match[str], sources: Sources) -> Finding:
    """The device names lines of the translation's main file there."""
    numbers = [int(each) for found in _AT_LINES.finditer(match[5]) for each in found.groups() if each]
    main = next(iter(sources.origins), "")
    places = tuple(place for number in numbers if (place := sources.place(main, number)))
    message = re.sub(r"\s*\(lines \d+ and \d+\)", "", match[5])
    return Finding(Kind.FAULT, message, places or _kernel(match[1], sources), match[1], _dim(match, 2))


def _sanitizers(lines: list[str], sources: Sources) -> Iterator[Finding]:
    for number, line in enumerate(lines):
        rest = lines[number + 1 : number + 80]
        if match := _ASAN.search(line):
            place, kernel = _first_frame(rest, sources)
            access = next((m for each in rest if (m := re.match(r"(READ|WRITE) of size (\d+)", each))), None)
            fact = f"{access[1].lower()} of {access[2]} bytes: " if access else ""
            yield Finding(Kind.OUT_OF_BOUNDS, f"{fact}{_ACCESS_FACT} (AddressSanitizer: {match[1]})", place, kernel)
        elif "WARNING: ThreadSanitizer: data race" in line:
            yield _race(rest, sources)
        elif match := _UBSAN.match(line):
            found = sources.place(match[1], int(match[2]))
            yield Finding(Kind.UNDEFINED, match[3], (found,) if found else ())


def _race(lines: list[str], sources: Sources) -> Finding:
    """Both accesses of a race."""
    places: list[Place] = []
    words: list[str] = []
    kernel = ""
    for number, line in enumerate(lines):
        if line.startswith("SUMMARY") or line.startswith("====="):
            break
        if match := _ACCESS.match(line):
            place, name = _first_frame(lines[number + 1 :], sources)
            places += place
            kernel = kernel or name
            what = match[1].lower().removeprefix("previous ")
            words.append(f"{what} of {match[2]} bytes" + (f" at {place[0]}" if place else ""))
    message = "data race between two threads: " + ", and ".join(words[:2]) + ": is a `__syncthreads()` missing?"
    return Finding(Kind.RACE, message, tuple(dict.fromkeys(places)), kernel)


def _first_frame(lines: list[str], sources: Sources) -> tuple[tuple[Place, ...], str]:
    """The first frame of a stack that lies in our files, and its function."""
    for line in lines:
        match = _FRAME.match(line)
        if match is None:
            if line.strip() and not line.lstrip().startswith("#") and "of size" not in line:
                break
            continue
        place = sources.place(match[2], int(match[3]))
        if place is not None:
            return (place,), match[1].partition("(")[0].rpartition("::")[2]
    return (), ""


def _symbolize(module: str, offset: int, sources: Sources) -> Iterator[Place]:
    """The lines of an address, from the innermost inlined function out: by addr2line, where it is installed."""
    tool = shutil.which("addr2line") or shutil.which("llvm-addr2line")
    if tool is None:
        return
    answer = subprocess.run([tool, "-i", "-e", module, hex(offset)], capture_output=True, text=True, check=False)
    for line in answer.stdout.splitlines():
        file, _, number = line.partition(" ")[0].rpartition(":")
        place = sources.place(file, int(number)) if number.isdigit() else None
        if place is not None:
            yield place


def _kernel(name: str, sources: Sources) -> tuple[Place, ...]:
    place = sources.kernel(name)
    return (place,) if place else ()


def _dim(match: re.Match[str], first: int) -> tuple[int, int, int]:
    return int(match[first]), int(match[first + 1]), int(match[first + 2])
