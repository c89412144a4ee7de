"""Put :mod:`hipify_py.compat.torch_hipify` in the place of PyTorch's own module, and take it out again."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Sequence
from functools import wraps
from importlib import import_module, util
from pathlib import Path
from types import ModuleType
from typing import Any

PACKAGE = "torch.utils.hipify"
NAME = f"{PACKAGE}.hipify_python"
#: Where PyTorch holds the module, or names of it, once it is imported.
_USER = "torch.utils.cpp_extension"
_MARK = "__hipify_py_original__"


def install(*, output_directory: str | os.PathLike[str] | None = None, **chosen: Any) -> ModuleType:  # noqa: ANN401
    """Let PyTorch use this translator in this process: ``CUDAExtension``, ``load()`` and whoever imports its module.

    Call it before PyTorch builds anything. Names of PyTorch's module that are not ours (``PYTORCH_MAP`` ...) are still its own.

    Args:
        output_directory: Where outputs go, whatever a caller asks for; relative to the caller's project. The folders of
            ``header_include_dirs`` get their counterparts in it in front, if the caller's list can be changed, as
            ``CUDAExtension`` lets it be.
        chosen: Arguments of :func:`~hipify_py.compat.torch_hipify.hipify` that win over the callers':
            ``exclude=("third_party/*",)``, ``mappings=read_mappings(...)``, ``settings=Settings(...)`` ...

    Returns:
        The module that stands there now.

    Raises:
        ImportError: PyTorch is not installed.
    """
    from hipify_py.compat import torch_hipify  # noqa: PLC0415 - it imports this module

    package = import_module(PACKAGE)
    uninstall()
    module = ModuleType(NAME, torch_hipify.__doc__)
    for name in torch_hipify.__all__:
        setattr(module, name, getattr(torch_hipify, name))
    module.hipify = _chosen(torch_hipify.hipify, output_directory, chosen)  # type: ignore[attr-defined]
    module.__getattr__ = _theirs  # type: ignore[method-assign]
    setattr(module, _MARK, sys.modules.get(NAME))
    _place(package, module)
    return module


def uninstall() -> None:
    """Put PyTorch's own module back, if ours is in its place."""
    module = sys.modules.get(NAME)
    if module is None or not hasattr(module, _MARK):
        return
    original = getattr(module, _MARK)
    package = sys.modules[PACKAGE]
    if original is None:
        del sys.modules[NAME]
        if hasattr(package, "hipify_python"):
            del package.hipify_python
        if sys.modules.get(_USER) is not None and hasattr(sys.modules[_USER], "hipify_python"):
            _place(package, import_module(NAME))
        return
    _place(package, original)


def _place(package: ModuleType, module: ModuleType) -> None:
    sys.modules[NAME] = module
    package.hipify_python = module  # type: ignore[attr-defined]
    user = sys.modules.get(_USER)
    for name, value in (("hipify_python", module), ("GeneratedFileCleaner", module.GeneratedFileCleaner)):
        if user is not None and hasattr(user, name):
            setattr(user, name, value)


def _theirs(name: str) -> object:
    """A name that only PyTorch's module has."""
    if name.startswith("__"):
        raise AttributeError(name)
    module = _original()
    try:
        return getattr(module, name)
    except AttributeError:
        raise AttributeError(f"module `{NAME}` has no attribute `{name}`, neither PyTorch's nor ours") from None


def _original() -> ModuleType:
    """PyTorch's module, loaded beside ours where nobody has imported it yet."""
    ours = sys.modules[NAME]
    original: ModuleType | None = getattr(ours, _MARK, None)
    if original is None:
        path = Path(str(sys.modules[PACKAGE].__file__)).parent / "hipify_python.py"
        spec = util.spec_from_file_location(NAME, path)
        if spec is None or spec.loader is None:
            raise AttributeError(f"`{path}` cannot be loaded")
        original = util.module_from_spec(spec)
        spec.loader.exec_module(original)
        setattr(ours, _MARK, original)
    return original


def _chosen(hipify: Any, output: str | os.PathLike[str] | None, chosen: dict[str, Any]) -> Any:  # noqa: ANN401
    """The function with what ``install`` was given."""
    if output is None and not chosen:
        return hipify

    @wraps(hipify)
    def call(project_directory: str, *given: Any, **named: Any) -> Any:  # noqa: ANN401
        named.update(chosen)
        if output is not None:
            root = Path(project_directory).absolute()
            target = root / output
            named["output_directory"] = str(target)
            folders = named.get("header_include_dirs")
            if isinstance(folders, list):
                named["header_include_dirs"] = [*folders]
                folders[:0] = _counterparts(folders, root, target)
        return hipify(project_directory, *given, **named)

    return call


def _counterparts(folders: Iterable[str], root: Path, target: Path) -> Sequence[str]:
    """Where the headers of ``-I`` folders of a project lie in the output."""
    found = []
    for each in folders:
        place = Path(os.path.normpath(root / each))
        if place.is_relative_to(root):
            found.append(str(target / place.relative_to(root)))
    return found
