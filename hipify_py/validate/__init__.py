"""Validation: translated kernels run on a device and are compared with their references.

>>> import hipify_py
>>> report = hipify_py.validate("kernels/add", device="cpu")    # doctest: +SKIP
>>> report.passed                                               # doctest: +SKIP
True
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from hipify_py.config import Options as TranslationOptions
    from hipify_py.settings import Settings
    from hipify_py.validate.case import Case
    from hipify_py.validate.processes import Worker
    from hipify_py.validate.results import CaseResult, Report

SANITIZERS = ("address", "thread", "undefined")
#: hipcc compiles for these where nobody asks for others.
DEFAULT_TARGETS = ("gfx90a",)


def validate(paths: str | os.PathLike[str] | Sequence[str | os.PathLike[str]], *, targets: Sequence[str] = DEFAULT_TARGETS,
             device: str = "auto", waves: Sequence[int] = (32, 64), sanitize: str | None = None, seed: int | None = None,
             timeout: float | None = None, jobs: int = 0, settings: Settings | None = None,
             options: TranslationOptions | None = None, tell: Callable[[CaseResult], None] | None = None) -> Report:
    """Translate, compile, run and compare cases.

    Args:
        paths: Case files, their folders, or folders of such folders.
        targets: hipcc compiles each translation for these GPUs; none if empty.
        device: ``auto`` (an AMD GPU if there is one), ``gpu`` or ``cpu``.
        waves: Sizes of a wave on the CPU device.
        sanitize: ``address``, ``thread`` or ``undefined``: watch the kernels on the CPU device.
        seed: Of the random inputs; None: another one each time. The report has it.
        timeout: Seconds for one run, instead of what the case says.
        jobs: Compilers that run at once; 0: as many as there are cores.
        settings: How to translate; default: what pyproject.toml beside a case says.
        options: The same as options of the command line, which go over those of pyproject.toml.
        tell: Is called with the result of each case as it comes.

    Returns:
        What was found. A kernel that is wrong, crashes or hangs is a finding, not an exception.

    Raises:
        InputError: A case is wrong, or the device is not there.
    """
    from hipify_py.validate.processes import Worker  # noqa: PLC0415 - importing the package stays cheap

    # Its imports take longer than all that is done here meanwhile: it comes before everything else. What a sanitizer needs
    # in its environment is not known yet.
    worker = None if sanitize else Worker()
    try:
        return _validate(paths, worker, targets=targets, device=device, waves=waves, sanitize=sanitize, seed=seed,
                         timeout=timeout, jobs=jobs, settings=settings, options=options, tell=tell)
    finally:
        if worker is not None:
            worker.stop()


def _validate(paths: str | os.PathLike[str] | Sequence[str | os.PathLike[str]], worker: Worker | None, *,
              targets: Sequence[str], device: str, waves: Sequence[int], sanitize: str | None, seed: int | None,
              timeout: float | None, jobs: int, settings: Settings | None, options: TranslationOptions | None,
              tell: Callable[[CaseResult], None] | None) -> Report:
    """:func:`validate` with a worker that already imports what it needs."""
    from hipify_py.files import InputError  # noqa: PLC0415 - importing the package stays cheap
    from hipify_py.validate import targets as devices  # noqa: PLC0415

    if sanitize is not None and sanitize not in SANITIZERS:
        raise InputError(f"`{sanitize}` is no sanitizer: it is one of {', '.join(SANITIZERS)}")
    if not waves or any(wave not in (32, 64) for wave in waves):
        raise InputError("a wave has 32 or 64 lanes: name one of them or both")
    if timeout is not None and not timeout > 0:
        raise InputError(f"`timeout` takes seconds above 0, not `{timeout}`")
    wish = devices.wish_from(device)
    try:
        from hipify_py.validate.run import Options, Validation  # noqa: PLC0415

        cases = _load(paths)
        target, worker = devices.find(wish, sanitize, worker)
        chosen = Options(
            settings=lambda case: settings or _settings(case, options), targets=tuple(targets), waves=tuple(waves),
            sanitize=sanitize, seed=devices.seed_from_system() if seed is None else seed, timeout=timeout,
            jobs=jobs or os.cpu_count() or 1)
        return Validation(target, worker, chosen, tell).run(cases)
    except OSError as error:
        if error.filename is None:
            raise
        raise InputError(f"`{error.filename}`: {error.strerror}: the cache folder has to be writable, `HIPIFY_PY_CACHE` names "
                         "another one") from None


def emit_harness(paths: str | os.PathLike[str] | Sequence[str | os.PathLike[str]], folder: str | os.PathLike[str], *,
                 seed: int | None = None, settings: Settings | None = None,
                 options: TranslationOptions | None = None) -> list[Path]:
    """Write cases as HIP programs of their own, for a machine with a GPU and without Python.

    Args:
        paths: As for :func:`validate`.
        folder: Where to write; it is made.
        seed: Of the random inputs; None: another one each time.
        settings: As for :func:`validate`.
        options: As for :func:`validate`.

    Returns:
        The programs.

    Raises:
        InputError: A case is wrong or too large for a program, numpy is missing, or the folder cannot be written.
    """
    from hipify_py.files import InputError  # noqa: PLC0415 - importing the package stays cheap
    from hipify_py.validate.targets import seed_from_system  # noqa: PLC0415

    try:
        from hipify_py.validate.program import emit  # noqa: PLC0415
    except ImportError as error:
        raise InputError(f"numpy is not installed ({error}): `pip install hipify-py[validate]`") from None
    return emit(_load(paths), Path(folder), seed_from_system() if seed is None else seed,
                lambda case: settings or _settings(case, options))


def _load(paths: str | os.PathLike[str] | Sequence[str | os.PathLike[str]]) -> list[Case]:
    from hipify_py.validate.reader import find_cases, load_case  # noqa: PLC0415 - importing the package stays cheap

    named = [paths] if isinstance(paths, (str, os.PathLike)) else list(paths)
    return [load_case(path) for path in find_cases([Path(each) for each in named])]


def _settings(case: Case, options: TranslationOptions | None) -> Settings:
    """The settings of a case: the given options over those of the nearest pyproject.toml."""
    from hipify_py.config import Options, options_for  # noqa: PLC0415 - importing the package stays cheap

    return options_for(case.source, options or Options()).settings()


class _Module(ModuleType):
    """`hipify_py.validate` is the function and the package of its parts at once: a call of the package is one of the function."""

    def __call__(self, *arguments: object, **keywords: object) -> Report:
        return validate(*arguments, **keywords)  # type: ignore[arg-type]


sys.modules[__name__].__class__ = _Module
