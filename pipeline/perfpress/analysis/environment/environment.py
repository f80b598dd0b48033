"""Compares the environments of two releases, apart from the release itself."""

import difflib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Literal

from perfpress.input.bundles.read import Bundle
from perfpress.input.logs.text_lines import TextLines

FactKind = Literal["run.toml", "machine", "tool", "attachment"]

FactValues = tuple[str | None, ...]
"""The values in the runs of one side, each once; None: a run that does not state it."""

LONGEST_ATTACHMENT = 64 * 1024
"""Bytes, unpacked; of longer attachments only the checksums are compared."""
MOST_CHANGED_LINES = 200


@dataclass(frozen=True)
class Difference:
    """One fact that is not the same on both sides."""

    kind: FactKind
    name: str
    base: FactValues
    after: FactValues
    changed_lines: tuple[str, ...] = ()
    """Of an attachment: lines of the base's only, with `-`, and of the other's only, with `+`."""


@dataclass(frozen=True)
class Environment:
    """The environments of two releases, side by side."""

    differences: tuple[Difference, ...]
    same: tuple[tuple[FactKind, str, str], ...]
    """Kind, name and value of the facts in which all runs of both that state them agree."""


def compare_environments(base: Sequence[Bundle], after: Sequence[Bundle]) -> Environment:
    """Compare what the runs of two releases of one variant ran in, the release apart.

    A fact differs too where the runs of one side do not agree among themselves. Where only some
    runs state it, those made for a profile for example, and do so on both sides, it is the same.
    """
    differences: list[Difference] = []
    same: list[tuple[FactKind, str, str]] = []
    facts: tuple[tuple[FactKind, Callable[[Bundle], Mapping[str, str]]], ...] = (
        ("run.toml", _config),
        ("machine", _machine),
        ("tool", lambda bundle: bundle.run.tools),
        ("attachment", _attachments),
    )
    for kind, facts_of in facts:
        names = {name for bundle in (*base, *after) for name in facts_of(bundle)}
        for name in sorted(names):
            left = _values(facts_of(bundle).get(name) for bundle in base)
            right = _values(facts_of(bundle).get(name) for bundle in after)
            if kind == "run.toml" and left == right:
                continue  # the variant says it already
            stated = [value for value in left if value is not None]
            if left == right and len(stated) == 1:
                same.append((kind, name, stated[0]))
            else:
                lines = _changed_lines(base, after, name) if kind == "attachment" else ()
                differences.append(Difference(kind, name, left, right, lines))
    return Environment(tuple(differences), tuple(same))


def _config(bundle: Bundle) -> dict[str, str]:
    """Return the configuration: it differs only where the report declares several the same."""
    return {"config": bundle.run.config} if bundle.run.config else {}


def _machine(bundle: Bundle) -> dict[str, str]:
    return {
        name: str(value).lower() if isinstance(value, bool) else str(value)
        for name, value in bundle.run.machine.items()
    }


def _attachments(bundle: Bundle) -> dict[str, str]:
    """Return the checksums of the attachments by name."""
    checksums = {file.name: file.sha256 for file in bundle.files}
    return {name: f"sha256 {checksums[name]}" for name in bundle.run.attachments}


def _values(values: Iterable[str | None]) -> FactValues:
    """Return each value once, sorted, and None last where some or all runs do not state it."""
    distinct = set(values)
    stated = sorted(value for value in distinct if value is not None)
    return (*stated, None) if None in distinct or not stated else tuple(stated)


def _changed_lines(base: Sequence[Bundle], after: Sequence[Bundle], name: str) -> tuple[str, ...]:
    """Return the lines in which an attachment differs between the last run of each side."""
    left, right = _last_with(base, name), _last_with(after, name)
    if left is None or right is None:
        return ()
    left_lines, right_lines = _lines(left, name), _lines(right, name)
    if left_lines is None or right_lines is None:
        return ()
    diff = difflib.unified_diff(left_lines, right_lines, lineterm="", n=0)
    # The first two lines name the files; @@ begins the lines that give a place.
    changed = (line for line in islice(diff, 2, None) if not line.startswith("@@"))
    return tuple(islice(changed, MOST_CHANGED_LINES))


def _last_with(bundles: Sequence[Bundle], name: str) -> Bundle | None:
    with_it = [bundle for bundle in bundles if name in bundle.run.attachments]
    return max(with_it, key=lambda bundle: bundle.run_id, default=None)


def _lines(bundle: Bundle, name: str) -> list[str] | None:
    """Return the lines of an attachment, or None where it is too long to compare them."""
    text = b""
    for block in TextLines(bundle.directory / name).blocks():
        text += block
        if len(text) > LONGEST_ATTACHMENT:
            return None
    return text.decode("utf-8", errors="replace").splitlines()
