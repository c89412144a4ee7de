"""HPY210 block-atomic: atomics with the scope of a block become those of the whole device.

What it does
------------
Takes ``_block`` off the names of atomics. The ``_system`` forms exist in HIP and stay; those that HIP lacks are
reported by the renames.

Why is this bad
---------------
HIP has no function of the name ``atomicAdd_block``.

Example
-------
Bad::

    atomicAdd_block(v, 1);

Good::

    atomicAdd(v, 1);

Fix safety
----------
An operation that is atomic for all threads of the device is so for those of a block; it can be slower. A function of the
source with such a name stays.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from hipify_py.diagnostics import Edit, Finding
from hipify_py.mapping import Support
from hipify_py.names import is_member_access, seems_declared
from hipify_py.unit import TranslationUnit

CODE = "HPY210"
_BLOCK = re.compile(rb"(atomic[A-Z]\w*)_block")


def check(unit: TranslationUnit) -> Iterator[Finding]:
    """Yield an edit for each block-wide atomic whose device-wide form HIP has."""
    for name, places in unit.occurrences.items():
        match = _BLOCK.fullmatch(name)
        mapping = unit.table.lookup(match.group(1)) if match is not None else None
        if match is None or mapping is None or mapping.support is Support.NO:
            continue
        if any(seems_declared(unit.tokens, index) for index in places):
            continue
        for index in places:
            if unit.is_handled(index) or unit.is_user_name(index) or is_member_access(unit.tokens, index) or (
                    unit.qualifier(index)):
                continue
            yield Edit(unit.tokens.start(index), unit.tokens.end(index), mapping.hip.encode(), CODE)
