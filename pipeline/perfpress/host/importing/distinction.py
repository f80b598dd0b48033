"""Keeps runs apart that only their directories distinguish: none passes for a repeat unsaid.

`myrocks.inmem/fbmy56` and `myrocks.iobound/fbmy56` are one release by their last names. As repeats
of one cell they would share a median, of 3,292 and 15,596 inserts a second.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from pathlib import PurePosixPath
from typing import NamedTuple

from msgspec.structs import replace

from perfpress.base.problems import Problem
from perfpress.base.toml.words import shown_value
from perfpress.host.importing.archive import ResultDirectory
from perfpress.host.importing.kind import ArchiveKind
from perfpress.host.importing.map_file import DirectoryEntry
from perfpress.host.importing.plan import PlannedRun, Rules
from perfpress.input.bundles.safety import shown_name
from perfpress.input.bundles.variant import Variant, variant_of

AXIS = "directory"
"""The axis that holds what directories above those of results are called, where that matters."""

MOST_NAMED = 3


class Described(NamedTuple):
    """What names say of the directories of an archive."""

    entries: Mapping[str, DirectoryEntry]
    """By the name of the directory."""
    alike: tuple[str, ...]
    """Two that differ only in a directory above them; empty where all differ by their own names."""


def described(kind: ArchiveKind, directories: Sequence[ResultDirectory], rules: Rules) -> Described:
    """Return what the names of directories say, so that no two with the same files become one cell.

    Where two would be, the directories above them at the depth where they differ become an axis of
    all, so that one variant goes on under one name.
    """
    entries = {each.name: kind.entry(each.name) for each in directories}
    for each in directories:
        if "release" in rules.said(each):
            entries[each.name] = DirectoryEntry(source=each.name, release="")
    names = {name: _not_of_release(entry) for name, entry in entries.items()}
    alike = list(_alike(entries, directories))
    depths = {pair: _differences(*(names[each] for each in pair)) for pair in alike}
    used = sorted({depth for found in depths.values() for depth in found})
    if not used:
        return Described(entries, ())
    for name, entry in entries.items():
        parts = names[name]
        if value := "/".join(parts[depth] for depth in used if depth < len(parts)):
            entries[name] = replace(entry, axes={**entry.axes, AXIS: value})
    return Described(entries, next(pair for pair, found in depths.items() if found))


def _not_of_release(entry: DirectoryEntry) -> tuple[str, ...]:
    """Return the parts of a directory's name but the last, which is of the release.

    Where the files are called as releases, the last part is of something else, too.
    """
    parts = PurePosixPath(entry.source).parts
    return parts[:-1] if entry.release else parts


def _alike(
    entries: Mapping[str, DirectoryEntry], directories: Sequence[ResultDirectory]
) -> Iterator[tuple[str, str]]:
    """Yield neighbouring names of directories of one cell that share a file or a test."""
    by_file: dict[tuple[object, ...], list[str]] = defaultdict(list)
    for directory in directories:
        entry = entries[directory.name]
        facts = (entry.release, entry.config, entry.clients, *sorted(entry.axes.items()))
        for file in directory.files:
            by_file[*facts, file.name].append(directory.name)
        for test in {(*number.values.items(), number.metric) for number in directory.numbers}:
            by_file[*facts, test].append(directory.name)
    return iter(dict.fromkeys(pair for names in by_file.values() for pair in pairwise(names)))


def _differences(one: Sequence[str], other: Sequence[str]) -> list[int]:
    """Return the depths at which two names differ."""
    longest = max(len(one), len(other))
    return [depth for depth in range(longest) if one[depth : depth + 1] != other[depth : depth + 1]]


def unsaid_repeats(planned: Sequence[PlannedRun], shown_as: str) -> Iterator[Problem]:
    """Yield which directories would be repeats of one cell though the map does not call them so.

    Args:
        planned: the runs of an archive.
        shown_as: the name of the map.
    """
    cells: dict[tuple[str, str, Variant, int | str, str], list[str]] = defaultdict(list)
    for each in planned:
        run = each.run
        cell = (run.report, run.release, variant_of(run), each.repeat)
        # The steps of summaries are known only when they have been read.
        for step in each.steps or ("",):
            cells[*cell, step].append(each.source.name)
    shared: dict[tuple[str, str, str], list[str]] = defaultdict(list)
    for (_, release, _, _, step), names in cells.items():
        for one, other in pairwise(names):
            shared[one, other, release].append(step)
    for pair, steps in shared.items():
        yield _unsaid(*pair, [step for step in steps if step], shown_as)


def _unsaid(one: str, other: str, release: str, steps: Sequence[str], shown_as: str) -> Problem:
    more = f" and {len(steps) - MOST_NAMED} more" if len(steps) > MOST_NAMED else ""
    some = ", ".join(map(shown_name, steps[:MOST_NAMED])) + more
    return Problem(
        path=shown_as,
        found=f"{shown_value(one)} and {shown_value(other)} are both of release "
        f"{shown_value(release)} and the same variant" + (f": {some}" if steps else ""),
        expected="what distinguishes them: another release, config or axes",
        do="say it in the map; or repeat = 2 below the second, if the same was measured again",
    )
