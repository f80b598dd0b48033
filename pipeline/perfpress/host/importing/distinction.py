"""Keeps runs apart that only their directories distinguish: none passes for a repeat unsaid.

`myrocks.inmem/fbmy56` and `myrocks.iobound/fbmy56` are one release by their last names. As repeats
of one cell they would share a median, of 3,292 and 15,596 inserts a second.
"""

import re
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import pairwise
from pathlib import PurePosixPath
from typing import NamedTuple

from msgspec.structs import replace

from perfpress.base.problems import Problem
from perfpress.base.toml.words import shown_value
from perfpress.host.importing.archive import ResultDirectory
from perfpress.host.importing.file_rules import Rules
from perfpress.host.importing.kind import ArchiveKind
from perfpress.host.importing.map_file import DirectoryEntry
from perfpress.host.importing.plan import PlannedRun
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
    of_files: Collection[str]
    """Those of which the names of files hold the release."""


def described(kind: ArchiveKind, directories: Sequence[ResultDirectory], rules: Rules) -> Described:
    """Return what the names of directories say, so that no two become one cell.

    Where two would be, the directories above them at the depth where they differ become an axis of
    all, so that one variant goes on under one name.
    """
    entries = {each.name: kind.entry(each.name) for each in directories}
    of_files = {each.name for each in directories if "release" in rules.said(each)}
    entries |= {name: DirectoryEntry(source=name, release="") for name in of_files}
    names = {name: _not_of_release(entry, kind) for name, entry in entries.items()}
    clients = {each.name: _clients(each, rules) for each in directories}
    depths = {
        (one, other): [
            depth
            for depth in _differences(names[one], names[other])
            if not all(_is_number_of(names[each], depth, clients[each]) for each in (one, other))
        ]
        for one, other in _of_one_cell(entries, of_files)
    }
    used = sorted({depth for found in depths.values() for depth in found})
    if not used:
        return Described(entries, (), of_files)
    for name, entry in entries.items():
        parts = names[name]
        if value := "/".join(parts[depth] for depth in used if depth < len(parts)):
            entries[name] = replace(entry, axes={**entry.axes, AXIS: value})
    alike = next(pair for pair, found in depths.items() if found)
    return Described(entries, alike, of_files)


def _not_of_release(entry: DirectoryEntry, kind: ArchiveKind) -> tuple[str, ...]:
    """Return the parts of a directory's name but the one that is of the release.

    Where the files are called as releases, no part is.
    """
    parts = PurePosixPath(entry.source).parts
    if not entry.release:
        return parts
    cell = entry.release, entry.config
    of_release = [
        at
        for at, part in enumerate(parts)
        if (of_part := kind.entry(part)) and (of_part.release, of_part.config) == cell
    ]
    at = of_release[-1] if of_release else len(parts) - 1
    return (*parts[:at], *parts[at + 1 :])


def _clients(directory: ResultDirectory, rules: Rules) -> str:
    """Return the number of clients that the names of all files hold; else nothing."""
    found = (rules.of(directory, file.name) for file in directory.files)
    counts = {values["clients"] for of in found if of and "clients" in (values := of[1])}
    return counts.pop() if len(counts) == 1 else ""


def _is_number_of(parts: Sequence[str], depth: int, clients: str) -> bool:
    """Return whether a part of a name only says the number of clients: `dop40`."""
    return depth < len(parts) and bool(clients) and re.findall(r"\d+", parts[depth]) == [clients]


def _of_one_cell(
    entries: Mapping[str, DirectoryEntry], of_files: Collection[str]
) -> Iterator[tuple[str, str]]:
    """Yield neighbouring names of directories of one cell.

    Those without a common test are among them: `lab1/8.4.5` may be of another host than
    `lab2/8.4.5`.
    """
    by_cell: dict[tuple[object, ...], list[str]] = defaultdict(list)
    for name, entry in sorted(entries.items()):
        if not entry.release and name not in of_files:
            continue  # a person is asked for it
        cell = (entry.release, entry.config, entry.clients, *sorted(entry.axes.items()))
        by_cell[cell].append(name)
    return (pair for names in by_cell.values() for pair in pairwise(names))


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
