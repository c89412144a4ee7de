"""hipify-py: translate CUDA C++ to HIP, exactly, and say what needs a look. This is the whole public API.

    >>> import hipify_py
    >>> result = hipify_py.translate(b"cudaError_t e = cudaFree(p);")
    >>> result.text
    b'hipError_t e = hipFree(p);'

Names are loaded when they are first used, so that importing the package costs nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from hipify_py.diagnostics import Applicability as Applicability
    from hipify_py.diagnostics import Diagnostic as Diagnostic
    from hipify_py.diagnostics import Edit as Edit
    from hipify_py.diagnostics import Fix as Fix
    from hipify_py.diagnostics import Severity as Severity
    from hipify_py.edits import EditSet as EditSet
    from hipify_py.engine import Translation as Translation
    from hipify_py.engine import translate as translate
    from hipify_py.files import FileResult as FileResult
    from hipify_py.files import InputError as InputError
    from hipify_py.files import translate_file as translate_file
    from hipify_py.lookup import Answer as Answer
    from hipify_py.lookup import Topic as Topic
    from hipify_py.lookup import UnknownNameError as UnknownNameError
    from hipify_py.lookup import query as query
    from hipify_py.mapping import Support as Support
    from hipify_py.settings import Settings as Settings
    from hipify_py.settings import Syntax as Syntax
    from hipify_py.settings import Version as Version
    from hipify_py.source import Location as Location
    from hipify_py.source import SourceFile as SourceFile
    from hipify_py.source import SourceRange as SourceRange
    from hipify_py.tables import read_mappings as read_mappings
    from hipify_py.tree import TreeResult as TreeResult
    from hipify_py.tree import translate_tree as translate_tree
    from hipify_py.validate import validate as validate

_HOMES = {
    "Applicability": "diagnostics", "Diagnostic": "diagnostics", "Edit": "diagnostics", "Fix": "diagnostics",
    "Severity": "diagnostics", "EditSet": "edits", "Translation": "engine", "translate": "engine",
    "read_mappings": "tables",
    "FileResult": "files", "InputError": "files", "translate_file": "files",
    "Answer": "lookup", "Topic": "lookup", "UnknownNameError": "lookup", "query": "lookup", "Support": "mapping",
    "Settings": "settings", "Syntax": "settings", "Version": "settings",
    "Location": "source", "SourceFile": "source", "SourceRange": "source",
    "TreeResult": "tree", "translate_tree": "tree",
    "validate": "validate",
}

__version__ = "0.1.0"
__all__ = [  # noqa: PLE0604 - the names of the table above and the version
    "__version__", *sorted(_HOMES),
]


def __getattr__(name: str) -> object:
    """Load a public name from its module at its first use."""
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module `hipify_py` has no attribute `{name}`")
    from importlib import import_module  # noqa: PLC0415 - start-up time

    value = globals()[name] = getattr(import_module(f"hipify_py.{home}"), name)
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
