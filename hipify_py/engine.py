"""The engine: run the rules over one source, apply what they yield, hand back a Translation. Pure.

HPY901 conflict: two rules wanted to rewrite the same text. The earlier one's rewrite was made, the later one's was left
out whole, so that nothing is half done: look at the place by hand. It is a fault of ours, please report it.

HPY902 rule-failed: a rule, or the second parse, stopped with an internal error. Its own findings are lost, those of all
others are there. It is a fault of ours too: please report it, with the source if you can share it.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from hipify_py import rules
from hipify_py.accepted import without_accepted
from hipify_py.build_files import build_file
from hipify_py.dead_branches import as_notes
from hipify_py.diagnostics import Applicability, Diagnostic, Edit, Finding, Fix, Severity, edits_of
from hipify_py.edits import EditLog, EditSet
from hipify_py.mapping import MappingTable
from hipify_py.settings import Settings
from hipify_py.source import SourceFile, SourceRange
from hipify_py.unit import SEMANTICS_LIMIT, Marks, TranslationUnit


@dataclass(frozen=True, slots=True)
class Translation:
    """What became of one source.

    Args:
        source: The input.
        text: The HIP text.
        edits: What was changed, by place in the input.
        diagnostics: What needs a look, by place in the input.
    """

    source: SourceFile
    text: bytes = field(repr=False)
    edits: EditSet = field(repr=False)
    diagnostics: tuple[Diagnostic, ...]

    @property
    def changed(self) -> bool:
        """Whether the text differs from the source."""
        return len(self.edits) > 0

    @property
    def errors(self) -> int:
        """How many diagnostics are errors."""
        return self.count(Severity.ERROR)

    def count(self, severity: Severity) -> int:
        """How many diagnostics have this severity."""
        return sum(diagnostic.severity is severity for diagnostic in self.diagnostics)


def translate(source: bytes, *, filename: str = "<source>", settings: Settings | None = None) -> Translation:
    """Translate one CUDA source to HIP.

    Args:
        source: The bytes of the source; any encoding, nothing outside the edits is changed.
        filename: Its name, for messages, for the language (``.c`` is C) and to find headers beside it.
        settings: How to translate; default: :class:`Settings()`.

    Returns:
        The text, the edits and the diagnostics. Never raises for what stands in the source.

    Raises:
        TypeError: The source is a ``str``: which bytes it was is for the caller to say.
    """
    if isinstance(source, str):
        raise TypeError("`translate` takes the bytes of a source, not a str: `text.encode()`, or `translate_file` for a file")
    settings = settings or Settings()
    file = SourceFile(filename, source)
    if build_file(filename) is not None:
        from hipify_py.build_files.translate import translate_build_file  # noqa: PLC0415 - only for build files

        return translate_build_file(file, settings)
    unit = TranslationUnit(file, settings, MappingTable.load(settings.target_libraries, settings.mappings))
    groups = EditLog()
    diagnostics: list[Diagnostic] = []
    persons = rules.persons(settings.rules)
    settled = Marks(len(source))
    any_settled = False
    for number, rule in enumerate((*persons, *rules.load())):
        try:
            for finding in rule(unit):
                if number < len(persons):
                    settled.update(_places(finding))
                    any_settled = True
                elif any_settled and any(place in settled for place in _places(finding) if edits_of(finding)):
                    continue
                _record(finding, unit, groups, diagnostics)
        except Exception as error:
            name = getattr(rule, "name", "") or rule.__module__.rpartition(".")[2]
            diagnostics.append(_failed(f"the rule `{name}`", error))
    if len(source) > SEMANTICS_LIMIT and not settings.annotate:
        unit.release()
    edits, refused = groups.resolve()
    for number, conflict in refused:
        group = groups.group(number)
        span = SourceRange(group[0].start, max(edit.end for edit in group))
        diagnostics.append(Diagnostic("HPY901", Severity.WARNING, f"two rewrites want the same text ({conflict}); the "
                                      "later one was left out: look at this place by hand", span))
    text = edits.apply(source) if len(edits) else source
    if settings.semantics:
        from hipify_py.clang import verify  # noqa: PLC0415 - libclang loads when it is needed

        told = {file.location(each.range.start).line for each in diagnostics if each.severity is not Severity.NOTE}
        try:
            diagnostics.extend(each for each in verify.report(unit, text, edits)
                               if each.severity is Severity.NOTE or file.location(each.range.start).line not in told)
        except Exception as error:
            diagnostics.append(_failed("the second parse", error))
    diagnostics = as_notes(unit, diagnostics)
    diagnostics = [each for each in without_accepted(file, diagnostics) if settings.reports(each.code)]
    diagnostics.sort(key=lambda each: (each.range.start, each.range.end, each.code, each.message))
    if settings.annotate and diagnostics:
        from hipify_py.annotations import comments  # noqa: PLC0415 - only when asked for

        for edit in comments(unit, diagnostics):
            groups.add((edit,))
        edits, _ = groups.resolve()  # a comment that finds no place is left out: its diagnostic is told anyway
        text = edits.apply(source)
    return Translation(file, text, edits, tuple(diagnostics))


def _places(finding: Finding) -> list[int]:
    """Where the texts begin that a finding replaces; of a report without a fix, where it points."""
    edits = edits_of(finding)
    if not edits and isinstance(finding, Diagnostic):
        return [finding.range.start]
    return [edit.start for edit in edits if edit.end > edit.start]


def _failed(what: str, error: Exception) -> Diagnostic:
    """What is told of a fault of ours: it costs its own findings, never the file."""
    reason = f"{type(error).__name__}: {' '.join(str(error).split())}"
    return Diagnostic("HPY902", Severity.ERROR, f"{what} stopped with an internal error ({reason}); the rest went on: "
                      "please report it", SourceRange(0, 0))


def _record(finding: Finding, unit: TranslationUnit, groups: EditLog,
            diagnostics: list[Diagnostic]) -> None:
    """Sort one finding into edits and diagnostics, and mark the tokens that it answers."""
    settings, handled = unit.settings, unit.handled
    if isinstance(finding, Edit):
        groups.add((finding,))
        if finding.end > finding.start:
            handled.add(finding.start)
        return
    if isinstance(finding, Fix):
        groups.add(finding.edits)
        handled.update(edit.start for edit in finding.edits if edit.end > edit.start)
        return
    diagnostics.append(finding)
    handled.add(finding.range.start)
    fix = finding.fix
    if fix is not None and settings.reports(finding.code) and (
            fix.applicability is Applicability.SAFE
            or (fix.applicability is Applicability.UNSAFE and settings.unsafe_fixes)):
        groups.add(fix.edits)
        handled.update(edit.start for edit in fix.edits if edit.end > edit.start)
