"""Corrections: small files that say what is wrong with an accepted run, and why.

`data/corrections/<report>/<date>-<slug>.toml` holds one change each; they are read in the order of
their names. A bundle is never edited: pages are made from bundles and the corrections on them.
"""

import datetime
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

import msgspec
import tomli_w

from perfpress.base.problems import Problem
from perfpress.base.secrets.redact import find_secrets
from perfpress.base.slugs import slug
from perfpress.base.toml.read import Document, convert, parse_toml, read_text
from perfpress.base.toml.words import nearest, shown_value
from perfpress.input.bundles.safety import shown_name
from perfpress.input.bundles.schema import Name

FILE_PATTERN = re.compile(r"(\d{4}-\d{2}-\d{2})-[a-z0-9._-]+\.toml")

CorrectedValue = str | int | float | bool


class _Change(
    msgspec.Struct,
    frozen=True,
    kw_only=True,
    forbid_unknown_fields=True,
    omit_defaults=True,
    tag_field="kind",
    tag=str.lower,
):
    """What all kinds have."""

    reason: Name
    """Shown on every page that the correction touches."""


class Invalid(_Change, frozen=True, kw_only=True):
    """Runs leave all figures; their pages say why."""

    run: Name | None = None
    """A run id; either this or a release."""
    release: Name | None = None
    step: Name | None = None
    """One step only."""


class Supersede(_Change, frozen=True, kw_only=True):
    """Another run takes the place of this one, which leaves all figures."""

    run: Name
    replacement: Name
    """A run id of the same report."""
    step: Name | None = None


class Set(_Change, frozen=True, kw_only=True):
    """A key of run.toml has another value."""

    run: Name | None = None
    release: Name | None = None
    step: Name | None = None
    """With a step, a key of that step; without one, a key of the run."""
    key: Name
    """Below a table with a dot: `machine.kernel`, `capture.seconds`."""
    value: CorrectedValue


class Rename(_Change, frozen=True, kw_only=True):
    """A release or a step has another name, in the whole report."""

    what: Literal["release", "step"]
    old: Name = msgspec.field(name="from")
    new: Name = msgspec.field(name="to")


class Accept(_Change, frozen=True, kw_only=True):
    """A regression is known and accepted: it is shown, and no longer counts as news."""

    release: Name
    step: Name | None = None
    variant: Name | None = None
    """A variant's slug; all variants without it."""


AnyCorrection = Invalid | Supersede | Set | Rename | Accept
KINDS: dict[str, type[AnyCorrection]] = {
    "invalid": Invalid,
    "supersede": Supersede,
    "set": Set,
    "rename": Rename,
    "accept": Accept,
}


@dataclass(frozen=True)
class Correction:
    """One correction as its file holds it."""

    report: str
    """The report's slug."""
    date: datetime.date
    """From the name of the file."""
    shown_as: str
    change: AnyCorrection
    document: Document = field(repr=False)

    def problem(self, key: str, found: str, expected: str = "", do: str = "") -> Problem:
        """Return a problem at the line of one of the correction's keys."""
        line = self.document.line(key)
        return Problem(path=self.shown_as, line=line, found=found, expected=expected, do=do)


def read_corrections(
    directory: Path, shown_as: str
) -> tuple[tuple[Correction, ...], list[Problem]]:
    """Return all corrections, by report and then by file name, and what is wrong with others.

    A directory that does not exist holds none.
    """
    corrections: list[Correction] = []
    problems: list[Problem] = []
    for path, report, shown in _files(directory, shown_as, problems):
        correction, found = read_correction(path, report, shown)
        problems += found
        if correction is not None:
            corrections.append(correction)
    return tuple(corrections), problems


def read_correction(
    path: Path, report: str, shown_as: str
) -> tuple[Correction | None, list[Problem]]:
    """Return one correction, or what is wrong with it."""
    text, problems = read_text(path, shown_as)
    if text is None:
        return None, problems
    return parse_correction(text, path.name, report, shown_as)


def parse_correction(
    text: str, file_name: str, report: str, shown_as: str
) -> tuple[Correction | None, list[Problem]]:
    """Return the correction that a file of that name and text holds, or what is wrong with it."""
    date = _date(file_name)
    if date is None:
        expected = "<date>-<slug>.toml, such as 2026-11-21-noisy-neighbour.toml"
        return None, [Problem(path=shown_as, found="a file of another name", expected=expected)]
    if secrets := find_secrets(text):
        found, do = f"a secret ({secrets[0].what})", "remove it: corrections are published"
        return None, [Problem(path=shown_as, line=secrets[0].line, found=found, do=do)]
    document, problems = parse_toml(text, shown_as)
    if document is None:
        return None, problems
    kind = document.values.get("kind")
    struct = KINDS.get(kind) if isinstance(kind, str) else None
    if struct is None:
        return None, [_unknown_kind(kind, document)]
    read = convert(document, struct)
    change = read.value
    if change is None:
        return None, list(read.problems)
    correction = Correction(report, date, shown_as, change, document)
    problems = [*_text_problems(correction), *_target_problems(correction)]
    return (None if problems else correction), problems


def _text_problems(correction: Correction) -> Iterator[Problem]:
    """Yield what nobody sees in the file: control characters, and secrets that escapes hide."""
    change, values = correction.change, correction.document.values
    may_have_lines = isinstance(change, Set) and change.key.startswith(("machine.", "tools."))
    for key, text in values.items():
        if not isinstance(text, str):
            continue
        if secrets := find_secrets(text):
            found, do = f"a secret ({secrets[0].what})", "remove it: corrections are published"
            yield correction.problem(key, found, do=do)
        allowed = "\n\t" if key == "value" and may_have_lines else ""
        hidden = next((char for char in text if not char.isprintable() and char not in allowed), "")
        if hidden:
            found = f"the control character U+{ord(hidden):04X} in `{key}`"
            yield correction.problem(key, found, "characters that can be seen", "remove it")


def order_in_report(file_name: str) -> str:
    """Return what corrections of a report are sorted by: `amend` names a second one `…-2.toml`."""
    return Path(file_name).stem


def correction_toml(change: AnyCorrection) -> str:
    """Return a change as the text of its file."""
    values: dict[str, Any] = msgspec.to_builtins(change)
    return tomli_w.dumps(values)


def correction_name(change: AnyCorrection, date: datetime.date) -> str:
    """Return the file name that `perfpress amend` gives a change."""
    match change:
        case Rename():
            about = f"{change.old} to {change.new}"
        case Accept():
            about = change.release
        case _:
            about = change.run or getattr(change, "release", None) or ""
    step = getattr(change, "step", None) or ""
    return f"{date.isoformat()}-{slug(f'{change.__struct_config__.tag} {about} {step}')}.toml"


def _files(
    directory: Path, shown_as: str, problems: list[Problem]
) -> Iterator[tuple[Path, str, str]]:
    """Yield path, report and name to show of every correction; report what else is there."""
    if not directory.exists():
        return
    for report in sorted(_entries(directory, shown_as, problems)):
        shown = f"{shown_as}/{shown_name(report.name)}"
        if report.is_symlink() or not report.is_dir():
            if report.name not in {".gitkeep", "README.md"}:
                problems.append(Problem(path=shown, found="no directory of a report"))
            continue
        entries = _entries(report, shown, problems)
        for path in sorted(entries, key=lambda path: order_in_report(path.name)):
            inner = f"{shown}/{shown_name(path.name)}"
            if path.is_symlink() or not path.is_file() or path.suffix != ".toml":
                expected = "corrections in TOML, and nothing else"
                problems.append(Problem(path=inner, found="no correction", expected=expected))
            else:
                yield path, report.name, inner


def _entries(directory: Path, shown_as: str, problems: list[Problem]) -> list[Path]:
    try:
        return list(directory.iterdir())
    except OSError as error:
        found = f"cannot be read ({error.strerror})"
        problems.append(Problem(path=shown_as, found=found, expected="a directory of corrections"))
        return []


def _date(name: str) -> datetime.date | None:
    match = FILE_PATTERN.fullmatch(name)
    try:
        return datetime.date.fromisoformat(match[1]) if match else None
    except ValueError:
        return None


def _unknown_kind(kind: object, document: Document) -> Problem:
    near = nearest(kind, KINDS) if isinstance(kind, str) else None
    return Problem(
        path=document.shown_as,
        line=document.line("kind"),
        found="no `kind`" if kind is None else f"the kind {shown_value(kind)}",
        expected=" or ".join(KINDS),
        do=f"did you mean {near}?" if near else "",
    )


def _target_problems(correction: Correction) -> Iterator[Problem]:
    change = correction.change
    if isinstance(change, Invalid | Set) and (change.run is None) == (change.release is None):
        found = "neither run nor release" if change.run is None else "both run and release"
        do = "name a run by its id or directory, or all runs of a release: --release NAME"
        yield correction.problem("kind", found, "one of them", do)
    if isinstance(change, Rename) and change.old == change.new:
        yield correction.problem("to", "the same name twice", "two names")
    if isinstance(change, Supersede) and change.run == change.replacement:
        yield correction.problem("replacement", "the run itself", "another run")
