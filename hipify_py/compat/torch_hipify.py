"""``torch.utils.hipify.hipify_python``, with this translator behind it: same functions, parameters, results and file names.

    >>> from hipify_py.compat import torch_hipify
    >>> torch_hipify.get_hip_file_path("src/cuda/add_cuda.cu", is_pytorch_extension=True)
    'src/hip/add_hip.hip'

:func:`install` puts it in the place of PyTorch's, so that an unchanged setup.py uses it; ``python -m hipify_py.compat setup.py
...`` does that from outside. ``docs/torch.md`` says what is the same and what is better.

Nothing is printed: what needs a look, the files and the counts go to the logger ``hipify_py``. ``[tool.hipify-py]`` of the
project's pyproject.toml counts (``exclude``, ``mappings``, ``rocm``, ``style`` ...).
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from hipify_py.caches import folder
from hipify_py.compat.torch_install import install, uninstall
from hipify_py.compat.torch_names import Generation, installed_generation
from hipify_py.compat.torch_paths import BREADCRUMB, EXTENSIONS, HEADER_EXTENSIONS, hip_path, moves, walk
from hipify_py.compat.torch_request import Cleaner, Request
from hipify_py.compat.torch_results import CurrentState, GeneratedFileCleaner, HipifyResult, openf
from hipify_py.compat.torch_run import Run
from hipify_py.config import Options, forget, options_for, patterns_for
from hipify_py.files import InputError
from hipify_py.mapping.own import Row
from hipify_py.settings import Settings
from hipify_py.tree.patterns import spec

__all__ = [
    "HIPIFY_C_BREADCRUMB", "CurrentState", "GeneratedFileCleaner", "Generation", "HipifyResult", "InputError",
    "get_hip_file_path", "hipify", "install", "is_out_of_place", "match_extensions", "matched_files_iter", "openf", "uninstall",
]

HIPIFY_C_BREADCRUMB = BREADCRUMB


def hipify(
    project_directory: str,
    show_detailed: bool = False,
    extensions: Iterable[str] = EXTENSIONS,
    header_extensions: Iterable[str] = HEADER_EXTENSIONS,
    output_directory: str = "",
    header_include_dirs: Iterable[str] = (),
    includes: Iterable[str] = ("*",),
    extra_files: Iterable[str] = (),
    out_of_place_only: bool = False,
    ignores: Iterable[str] = (),
    show_progress: bool = True,
    hip_clang_launch: bool = False,
    is_pytorch_extension: bool = False,
    hipify_extra_files_only: bool = False,
    clean_ctx: Cleaner | None = None,
    *,
    exclude: Sequence[str] = (),
    mappings: Sequence[Row] = (),
    settings: Settings | None = None,
    generation: Generation | None = None,
    cache: bool = True,
) -> dict[str, HipifyResult]:
    """Translate a project, or the files of it that are named, and the headers that they bring.

    Args:
        project_directory: The project.
        show_detailed: Log counts at the end.
        extensions: Ends of the names of files.
        header_extensions: Accepted; headers are found by the ``#include`` lines that lead to them.
        output_directory: Where outputs go, in the project's layout; the project itself for outputs beside the sources. With a
            folder apart nothing is written into the project, and headers that need no translation are copied. Default: the
            project's name and ``_amd``.
        header_include_dirs: The ``-I`` folders, relative to the project or absolute.
        includes: Patterns (as of the shell, ``*`` goes over folders) of files to take, absolute or relative to the project.
        extra_files: Files to translate besides, relative to the project or absolute.
        out_of_place_only: Leave those files of PyTorch's own tree that are translated in place.
        ignores: Patterns of files to leave.
        show_progress: Log each file.
        hip_clang_launch: Keep ``<<<...>>>``, which hipcc takes.
        is_pytorch_extension: Whether the project is an extension of PyTorch; else the names are those of PyTorch's own tree.
        hipify_extra_files_only: Only ``extra_files``, and the headers that they bring.
        clean_ctx: Takes generated files away again.
        exclude: Patterns as in .gitignore of files to leave (not in torch's), besides those of pyproject.toml.
        mappings: Rows of one's own, see :func:`hipify_py.read_mappings` (not in torch's).
        settings: How to translate, in place of what pyproject.toml says (not in torch's).
        generation: PyTorch's names (not in torch's); default: those of the installed one.
        cache: Keep translations in the user's cache folder for the next time (not in torch's).

    Returns:
        The result of each file by its path. A file that cannot be translated has no ``hipified_path``, and its ``status`` says
        why: the others are not concerned.

    Raises:
        InputError: The project does not exist, or its pyproject.toml is wrong.
    """
    root = _absolute(project_directory)
    if not Path(root).is_dir():
        raise InputError(f"the project `{project_directory}` is no folder: check `project_directory`")
    forget()
    extra = tuple(_absolute(each, root) for each in extra_files)
    request = Request(
        root, _absolute(output_directory) if output_directory else root + "_amd", is_pytorch_extension,
        tuple(_absolute(each, root) for each in header_include_dirs), tuple(includes), tuple(ignores), tuple(extensions),
        _skips(root, exclude), _settings(settings, hip_clang_launch, tuple(mappings)), generation or installed_generation(),
        clean_ctx, _cache_folder() if cache else None)
    found = [] if hipify_extra_files_only else request.files()
    if out_of_place_only and not is_pytorch_extension:
        found = [path for path in found if moves(os.path.relpath(path, root).replace(os.sep, "/"))]
    run = Run(request)
    results = run.translate(found, extra)
    run.report(show_progress=show_progress, show_detailed=show_detailed)
    return results


def get_hip_file_path(rel_filepath: str, is_pytorch_extension: bool = False) -> str:
    """Where the translation of a file goes, relative to its project.

    Raises:
        ValueError: The path is absolute.
    """
    return hip_path(rel_filepath, extension=is_pytorch_extension)


def is_out_of_place(rel_filepath: str) -> bool:
    """Whether the translation of a file of PyTorch's own tree gets a place of its own."""
    return moves(rel_filepath)


def match_extensions(filename: str, extensions: Iterable[str]) -> bool:
    """Whether a name ends with one of these."""
    return filename.endswith(tuple(extensions))


def matched_files_iter(root_path: str, includes: Iterable[str] = (), ignores: Iterable[str] = (),
                       extensions: Iterable[str] = (), out_of_place_only: bool = False,
                       is_pytorch_extension: bool = False) -> Iterator[str]:
    """The files of a project that the patterns take, sorted."""
    root = _absolute(root_path)
    for path in walk(root, includes, ignores, extensions):
        if is_pytorch_extension or not out_of_place_only or moves(os.path.relpath(path, root).replace(os.sep, "/")):
            yield path


def _absolute(path: str, base: str = "") -> str:
    return os.path.normpath(f"{base}/{path}" if base and not Path(path).is_absolute() else Path(path).absolute())


def _cache_folder() -> Path | None:
    try:
        return folder()
    except RuntimeError:  # this user has none
        return None


def _settings(given: Settings | None, keep_launches: bool, mappings: tuple[Row, ...]) -> Callable[[str], Settings]:
    """How files are translated: what the caller says, or their pyproject.toml, or torch's manner."""
    default = Options(launch_syntax="cuda" if keep_launches else "hip", thread_indices="cuda")

    def settings_of(path: str) -> Settings:
        found = given or options_for(Path(path), Options()).over(default).settings()
        return replace(found, mappings=(*found.mappings, *mappings))

    return settings_of


def _skips(root: str, exclude: Sequence[str]) -> Callable[[str], bool]:
    """What the patterns of a project, and those of the call, leave out."""
    rules = [(root, spec(exclude, "exclude"))] if exclude else []
    project = patterns_for(Path(root))
    if project is not None and project[2]:
        rules.append((str(project[0]), spec(project[2], "exclude")))

    def skips(path: str) -> bool:
        return any(Path(path).is_relative_to(place) and bool(patterns.match_file(os.path.relpath(path, place)))
                   for place, patterns in rules)

    return skips

