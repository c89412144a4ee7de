"""What hiprtc of the CPU device runs: ``python -m hipify_py.cpu.rtc SOURCE OPTIONS...`` prints the file of the module.

The options are those of hiprtcCompileProgram; ``--name-expression=X`` and ``--folder=F`` (of headers) come from the library.
"""

from __future__ import annotations

import sys
from pathlib import Path

from hipify_py.cpu.build import BuildError, build_module


def wave_of(architecture: str) -> int:
    """The lanes of a wave of an AMD GPU: 64 up to gfx9, 32 from gfx10 on."""
    number = architecture.partition(":")[0].removeprefix("gfx")
    return 32 if len(number) == 4 and number[:2] in ("10", "11", "12") else 64


def main(arguments: list[str]) -> int:
    """Compile; 1 and the compiler's log on stderr when it cannot."""
    source, default_wave, *options = arguments
    wave = int(default_wave)
    defines: list[str] = []
    includes: list[Path] = []
    instances: list[str] = []
    name = "program"
    rest = iter(options)
    for option in rest:
        key, _, value = option.partition("=")
        if key in ("--offload-arch", "--gpu-architecture"):
            wave = wave_of(value)
        elif option == "-mwavefrontsize64":
            wave = 64
        elif option == "-mno-wavefrontsize64":
            wave = 32
        elif key == "--name-expression":
            instances.append(value)
        elif key == "--name":
            name = value
        elif option in ("-D", "-I"):
            (defines if option == "-D" else includes).append(next(rest, ""))  # type: ignore[arg-type]
        elif option.startswith("-D"):
            defines.append(option[2:])
        elif option.startswith("-I"):
            includes.append(Path(option[2:]))
    try:
        data = Path(source).read_bytes()
        wanted = [instance for instance in instances if "<" in instance]
        module = build_module(data, wave=wave, include_dirs=[Path(i) for i in includes], defines=defines, instances=wanted,
                              name=name)
    except BuildError as error:
        sys.stderr.write(error.log or f"{error}\n")
        return 1
    sys.stdout.write(str(module))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
