"""HPY116 own-name: names from tables of the person's own.

What it does
------------
Renames each identifier that stands in a table given by ``--mapping FILE`` or ``mappings`` in ``[tool.hipify-py]``, before
any other rule looks at it: declarations and uses, in macros too. A name whose row has no HIP name is reported with the
row's advice. Members (``p->name``) and qualified names of other scopes stay.

Why is this bad
---------------
It is not: a project's own layer over CUDA often has a counterpart of its own over HIP, which nobody else can know.

Example
-------
With the table ``cuda,hip`` / ``myCudaAlloc,myHipAlloc``:

Bad::

    myCudaAlloc(&p, n);

Good::

    myHipAlloc(&p, n);

Fix safety
----------
The table says it. Arguments stay as they are.
"""

from __future__ import annotations

from collections.abc import Iterator

from hipify_py.diagnostics import Diagnostic, Edit, Finding, Severity
from hipify_py.names import is_member_access, qualifier
from hipify_py.unit import TranslationUnit

CODE = "HPY116"
_PROSE = frozenset((b"error", b"warning", b"line", b"ident"))


def check(unit: TranslationUnit) -> Iterator[Finding]:
    """Yield an edit or an error for each name of an own table."""
    tokens = unit.tokens
    for name in unit.table.own & unit.occurrences.keys():
        mapping = unit.table.lookup(name)
        if mapping is None or mapping.hip.encode() == name:
            continue
        for index in unit.occurrences[name]:
            directive = unit.directives.containing(index)
            prose = directive is not None and (directive.keyword in _PROSE or directive.header is not None)
            if prose or is_member_access(tokens, index) or qualifier(tokens, index):
                continue
            span = unit.range(index)
            if mapping.hip:
                yield Edit(span.start, span.end, mapping.hip.encode(), CODE)
            else:
                yield Diagnostic("HPY401", Severity.ERROR, f"`{mapping.cuda}` has no HIP counterpart (own table): "
                                 f"{mapping.advice or 'replace it by hand'}", span)
