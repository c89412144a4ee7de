"""Where a source needs the header of the runtime: for :mod:`hipify_py.rules.includes`."""

from __future__ import annotations

import re

from hipify_py import ptx_table
from hipify_py.mapping import Kind
from hipify_py.names import COMMON_ATTRIBUTES, is_member_access, seems_declared
from hipify_py.ptx import statements
from hipify_py.rules.inline_ptx import is_ptx
from hipify_py.unit import TranslationUnit

_RUNTIME_LIBRARIES = frozenset(("runtime", "driver", "device"))
#: Sources that a host compiler may see.
HOST_SUFFIXES = (".c", ".cc", ".cpp", ".cxx", ".c++", ".C", ".h", ".hh", ".hpp", ".hxx", ".inl", ".ipp")


class Uses:
    """Where a source uses the runtime or the device language.

    Attributes:
        places: Tokens that need the runtime's header, in order of name.
        device: One of them is of the device language, which the API's header does not have.
        renamed: One of them has another name in HIP.
        already_hip: The source calls HIP functions.
    """

    def __init__(self, unit: TranslationUnit) -> None:
        host = unit.source.name.endswith(HOST_SUFFIXES)
        self.device = self.renamed = False
        self.places: list[int] = [*unit.tokens.punctuators(b"<<<")]
        self.places = [index for index in self.places if not unit.regions.is_frozen(unit.tokens.start(index))
                       and unit.directives.containing(index) is None]
        self.device = bool(self.places)
        for name, indices in unit.occurrences.items():
            mapping = unit.table.lookup(name)
            if mapping is None or mapping.library not in _RUNTIME_LIBRARIES:
                continue
            # A device function without a counterpart of that name may be written by means of others.
            if not mapping.hip and mapping.kind != Kind.DEVICE_FUNCTION.value:
                continue
            renamed = mapping.hip != mapping.cuda and mapping.kind != Kind.MACRO.value
            attribute = mapping.kind == Kind.ATTRIBUTE.value and name not in COMMON_ATTRIBUTES
            if not (renamed or attribute) and (host or mapping.kind in (Kind.MACRO.value, Kind.ATTRIBUTE.value)):
                continue
            used = [index for index in indices if not is_member_access(unit.tokens, index)]
            if not used or (not attribute and any(seems_declared(unit.tokens, index) for index in used)):
                continue
            self.places += used
            self.renamed |= renamed
            self.device |= attribute or mapping.kind in (Kind.BUILTIN.value, Kind.DEVICE_FUNCTION.value)
        # PTX is device code, and what it is turned into calls HIP's device functions.
        ptx = [] if b"asm" not in unit.data or host else [
            each.first for each in statements(unit.tokens) if is_ptx(each, ptx_table.load())]
        self.places += ptx
        self.device |= bool(ptx)
        self.already_hip = re.search(rb"\bhip[A-Z]\w*\s*\(", unit.data) is not None
