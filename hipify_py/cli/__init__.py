"""The ``hipify-py`` command: arguments become a call, its result an exit status. No logic lives here.

One module a subcommand; without one, :mod:`hipify_py.cli.translate`. Modules are imported when they are needed, so that
``hipify-py --version`` is as fast as Python starts.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence

#: Subcommand -> what it does, as ``--help`` says it.
SUBCOMMANDS = {
    "build-files": "what CMakeLists.txt, Makefile, setup.py and meson.build become",
    "explain": "the page of a diagnostic's code",
    "query": "what a CUDA name is called in HIP",
    "revert": "which CUDA line a line of HIP comes from",
    "doctor": "what this machine has: hipcc, libclang, compilers",
    "validate": "run translated kernels and compare them with their references",
}


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command.

    Args:
        argv: The arguments without the program's name; default: those of the process.

    Returns:
        0: all is well; 1: there is something to look at; 2: the input or the call is wrong.
    """
    arguments = list(sys.argv[1:] if argv is None else argv)
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:  # closed by the caller: `>&-`
            setattr(sys, name, open(os.devnull, "w"))  # noqa: PTH123, SIM115 - as long as the process
    try:
        status = _run(arguments)
        sys.stdout.flush()
        return status
    except KeyboardInterrupt:
        sys.stderr.write("hipify-py: interrupted\n")
        return 130
    except BrokenPipeError:
        # The reader has gone (`| head`): nobody wants the rest, nor a message at exit.
        _silence()
        return 141
    except OSError as error:
        if error.filename is not None:
            raise
        _silence()
        sys.stderr.write(f"hipify-py: error: standard output cannot be written: {error.strerror or error}\n")
        return 2


def _silence() -> None:
    """Let what is still buffered go nowhere."""
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except (OSError, ValueError):
            os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def _run(arguments: list[str]) -> int:
    command = arguments[0] if arguments else ""
    if command in SUBCOMMANDS:
        from importlib import import_module

        status: int = import_module(f"hipify_py.cli.{command.replace('-', '_')}").main(arguments[1:])
        return status
    if command in ("--cmake-dir", "--make-fragment"):
        from hipify_py.build import cmake_dir, make_fragment

        print(cmake_dir() if command == "--cmake-dir" else make_fragment())  # noqa: T201 - the command's output
        return 0
    from hipify_py.cli import translate

    return translate.main(arguments)
