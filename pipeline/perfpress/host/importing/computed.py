"""Finds the directory of results that each number of a table is of."""

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import PurePosixPath

from perfpress.host.importing.archive import Archive, ResultDirectory
from perfpress.host.importing.kind import ArchiveKind
from perfpress.host.importing.left_out import LeftOut
from perfpress.host.importing.result_tables import QUERIES, RATIO_OF, Number
from perfpress.host.importing.table_tags import told_apart
from perfpress.input.bundles.safety import shown_name

Facts = tuple[object, ...]


def with_numbers(
    kind: ArchiveKind, archive: Archive
) -> tuple[list[ResultDirectory], list[LeftOut]]:
    """Return the directories of results with what tables state of them.

    What only tables name becomes a directory without files. Returns also the numbers that could be
    of several directories, or contradict others.
    """
    left_out: list[LeftOut] = []
    directories = {each.name: each for each in archive.directories}
    numbers: dict[str, list[Number]] = defaultdict(list)
    homes = _Homes(kind, archive.directories)
    once = _once((each for table in archive.tables for each in table.numbers), left_out)
    for number in told_apart(
        _called_alike(once), lambda number: homes.of(number)[0] in directories
    ):
        names = homes.of(number)
        if len(names) > 1:
            reason = f"could be of {' or '.join(map(shown_name, names[:2]))}"
            left_out.append(LeftOut(number.place, reason))
        else:
            numbers[names[0]].append(number)
    for name, own in numbers.items():
        there = directories.get(name) or _without_files(name, own[0])
        directories[name] = replace(there, numbers=tuple(_consistent(own, left_out)))
    return [directories[name] for name in sorted(directories)], left_out


def _once(numbers: Iterable[Number], left_out: list[LeftOut]) -> list[Number]:
    """Return numbers without those of a line that another table beside it has, too."""
    known: dict[tuple[object, ...], str] = {}
    found: list[Number] = []
    for each in numbers:
        place = PurePosixPath(each.file).parent
        line = (place, each.measured, each.cell)
        if each.measured and known.setdefault(line, each.file) != each.file:
            left_out.append(LeftOut(each.place, "a line that another table has, too"))
        else:
            found.append(each)
    return found


def _called_alike(numbers: Sequence[Number]) -> list[Number]:
    """Return numbers with the full name of each directory, where a table beside it is edited.

    Of `x.ma100244_rel.z12a_c8r32.pk1` an author leaves `ma100244_rel.z12a_c8r32` for readers.
    """
    full: dict[str, set[str]] = defaultdict(set)
    for each in numbers:
        if (short := _edited(each.directory)) != each.directory:
            full[short].add(each.directory)

    def called(directory: str) -> str:
        return next(iter(full[directory])) if len(full.get(directory, ())) == 1 else directory

    def metric(number: Number) -> str:
        if not number.is_ratio:
            return number.metric
        base = PurePosixPath(number.file).parent / number.metric.removeprefix(RATIO_OF)
        return f"{RATIO_OF}{PurePosixPath(called(str(base))).name}"

    return [
        replace(each, directory=called(each.directory), metric=metric(each)) for each in numbers
    ]


def _edited(directory: str) -> str:
    above, slash, last = directory.rpartition("/")
    return above + slash + re.sub(r"\.pk\d$", "", last.removeprefix("x."))


def _without_files(name: str, number: Number) -> ResultDirectory:
    return ResultDirectory(name=name, inside=name, path=number.path.parent, files=())


class _Homes:
    """The directories of results of an archive, by name and by what their names say."""

    def __init__(self, kind: ArchiveKind, directories: Iterable[ResultDirectory]) -> None:
        self._kind = kind
        self._by_facts: dict[Facts, list[str]] = defaultdict(list)
        self._known: dict[tuple[str, str], list[str]] = {}
        for each in directories:
            self._by_facts[self._facts(each.name)].append(each.name)

    def of(self, number: Number) -> Sequence[str]:
        """Return the names of the directories that a number may be of; one that is new if none."""
        key = number.file, number.directory
        if key not in self._known:
            self._known[key] = self._found(*key)
        return self._known[key]

    def _found(self, file: str, directory: str) -> list[str]:
        alike = self._by_facts.get(self._facts(directory), [])
        if directory in alike:
            return [directory]
        # Of the directories around the table, never of others beside it.
        place = PurePosixPath(file).parent
        return [each for each in alike if _is_around(place, each)] or [directory]

    def _facts(self, name: str) -> Facts:
        """Return what the last part of a name says: where a table lies it may lie elsewhere."""
        entry = self._kind.entry(PurePosixPath(name).name)
        return entry.release, entry.config, entry.clients, *sorted(entry.axes.items())


def _is_around(place: PurePosixPath, directory: str) -> bool:
    above = PurePosixPath(directory).parent
    return place.is_relative_to(above) or above.is_relative_to(place)


def _consistent(numbers: Sequence[Number], left_out: list[LeftOut]) -> list[Number]:
    """Return numbers of one directory without those that another table contradicts or has exactly.

    Ratios are left out where the same has a number of its own.
    """
    cells: dict[tuple[object, ...], list[Number]] = defaultdict(list)
    for each in numbers:
        cells[each.cell].append(each)
    found: list[Number] = []
    for own in cells.values():
        lowest = max(each.value - each.slack for each in own)
        highest = min(each.value + each.slack for each in own)
        if lowest > highest:
            reason = "another number than another table has of the same; neither is imported"
            left_out += (LeftOut(each.place, reason) for each in own)
        else:
            found.append(min(own, key=lambda each: (each.slack, each.file, each.line)))
    absolute = {_test(each) for each in found if each.metric == QUERIES and not each.is_of_scans}
    for each in found:
        if each.is_ratio and _test(each) in absolute:
            left_out.append(LeftOut(each.place, "a ratio of numbers that another table has"))
    return [each for each in found if not (each.is_ratio and _test(each) in absolute)]


def _test(number: Number) -> tuple[tuple[str, str], ...]:
    return tuple(sorted(number.values.items()))
