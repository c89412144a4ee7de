"""HPY116 own-name: names from tables of the person's own.

What it does
------------
Renames each name that stands in a table given by ``--mapping FILE`` or ``mappings`` in ``[tool.hipify-py]``, before any
other rule looks at it: declarations and uses, in macros too. A row ``cudaTake`` is for a name at file scope, a row
``pool::cudaTake`` for one in a namespace, written with its namespace or inside of it without. A row without counterpart,
with other arguments, with advice, or with a version above ``--rocm`` is reported as those of the tables that come along.
Members (``p->cudaTake``), local variables, parameters, labels, and what the source itself declares in other namespaces
stay.

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
The table says it. Arguments stay as they are. If the counterpart lives in another namespace, its uses are rewritten and
the declaration of the old name stays.
"""

from __future__ import annotations

from collections.abc import Iterator

from hipify_py import counterparts
from hipify_py.diagnostics import Edit, Finding
from hipify_py.lexer import TokenKind
from hipify_py.mapping import Mapping
from hipify_py.names import is_member_access, qualifier, seems_declared
from hipify_py.unit import TranslationUnit

CODE = "HPY116"
_PROSE = frozenset((b"error", b"warning", b"line", b"ident"))


def check(unit: TranslationUnit) -> Iterator[Finding]:
    """Yield an edit or an error for each name of an own table."""
    if not unit.table.own:
        return
    words = unit.table.own_words & unit.occurrences.keys()
    chains = [_chain(unit, index) for word in words for index in unit.occurrences[word] if not _is_prose(unit, index)]
    taken: set[int] = set()
    found: list[tuple[list[int], Mapping]] = []
    # `a::b::c` before `a::b` and `a`: the longest name that has a row is the one that is meant.
    for chain in sorted(chains, key=len, reverse=True):
        row = None if not chain or chain[-1] in taken or unit.is_handled(chain[-1]) else _row(unit, chain)
        if row is not None:
            taken.update(chain)
            found.append((chain, row))
    told: set[str] = set()
    for chain, row in sorted(found, key=lambda each: each[0]):
        edits = _edits(unit, chain, row)
        if edits is not None and row.hip != row.cuda:
            yield from counterparts.answer(unit, row, unit.range(chain[0], chain[-1] + 1), told, edits=edits)


def _is_prose(unit: TranslationUnit, index: int) -> bool:
    directive = unit.directives.containing(index)
    return directive is not None and (directive.keyword in _PROSE or directive.header is not None)


def _chain(unit: TranslationUnit, index: int) -> list[int]:
    """The tokens of the names in ``a::b::c`` up to its last one; none if something else stands in front of a ``::``."""
    tokens = unit.tokens
    chain = [index]
    while qualifier(tokens, chain[0]):
        before = tokens.previous_code(tokens.previous_code(chain[0]))
        if tokens.kind(before) != TokenKind.IDENTIFIER:
            return []
        chain.insert(0, before)
    return [] if is_member_access(tokens, chain[0]) else chain


def _row(unit: TranslationUnit, chain: list[int]) -> Mapping | None:
    """The row of the person's own that a name has."""
    absolute = qualifier(unit.tokens, chain[0]) is not None
    if len(chain) == 1 and not absolute:
        return unit.own_row(chain[0])
    names = [unit.tokens.name(each) for each in chain]
    scopes = [()] if absolute else [*unit.homes.guesses(chain[-1])]
    paths = (b"::".join((*scope, *names)) for scope in scopes)
    return next((unit.table.lookup(path) for path in paths if path in unit.table.own), None)


def _edits(unit: TranslationUnit, chain: list[int], row: Mapping) -> tuple[Edit, ...] | None:
    """What renames the written part of a name; None where its old declaration stays."""
    tokens = unit.tokens
    names, target = row.cuda.encode().split(b"::"), row.hip.encode().split(b"::")
    hidden = _renamed(unit, names[: len(names) - len(chain)])
    if target[: len(hidden)] == hidden and len(target) > len(hidden):
        target = target[len(hidden) :]
    elif len(chain) == 1 and seems_declared(tokens, chain[0]):
        return None
    # A first part that stays is taken too, lest a row of our own tables rename it.
    stays = target[0] == tokens.name(chain[0]) and target[0] in unit.table
    if len(target) == len(chain) and not stays:
        return tuple(Edit(tokens.start(index), tokens.end(index), part, CODE)
                     for index, part in zip(chain, target, strict=True) if tokens.name(index) != part)
    return (Edit(tokens.start(chain[0]), tokens.end(chain[-1]), b"::".join(target), CODE),)


def _renamed(unit: TranslationUnit, scope: list[bytes]) -> list[bytes]:
    """What becomes of a namespace around a name."""
    for size in range(len(scope), 0, -1):
        row = unit.table.lookup(b"::".join(scope[:size]))
        if row is not None and row.hip:
            return [*row.hip.encode().split(b"::"), *scope[size:]]
    return scope
