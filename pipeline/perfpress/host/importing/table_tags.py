"""Tells measurements apart that only the names of tables distinguish.

`qps.abs.dop1.tsv` and `qps.abs.dop40.tsv` have other numbers of the same directories: no two of
them may be merged, and no ratio that happens to be the same in both is one.
"""

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from pathlib import PurePosixPath

from perfpress.host.importing.result_tables import Number

# qps.abs.pgo.dop10.prep0.tsv, o.met.pgo.dop10.prep0
NAME = re.compile(
    r"(?:o\.)?(?:qps\.(?:abs|rel)|met)\.(?P<tag>.+?)(?:\.(?:tsv|txt))?(?:\.(?:gz|xz|zst))?"
)
CLIENTS = re.compile(r"(?:^|\.)dop([1-9]\d{0,5})(?=\.|$)", re.ASCII)


def told_apart(numbers: Iterable[Number], has_logs: Callable[[Number], bool]) -> list[Number]:
    """Return numbers of tables, with the directory of each below its tag where tables contradict.

    Args:
        numbers: of all tables.
        has_logs: returns whether the directory of a number has logs, which say what is right.
    """
    by_folder: dict[str, list[Number]] = defaultdict(list)
    for each in numbers:
        by_folder[str(PurePosixPath(each.file).parent)].append(_with_clients(each))
    found: list[Number] = []
    for own in by_folder.values():
        groups = [own] if any(map(has_logs, own)) else _groups(own)
        if len(groups) == 1:
            found += own
        for group in groups if len(groups) > 1 else ():
            below = tag_of(group[0])
            found += (replace(each, directory=_below(each.directory, below)) for each in group)
    return found


def tag_of(number: Number) -> str:
    """Return what the name of a table says beside its kind and the number of clients."""
    return CLIENTS.sub("", _named(number)).strip(".")


def _named(number: Number) -> str:
    match = NAME.fullmatch(PurePosixPath(number.file).name)
    return match["tag"] if match else ""


def _with_clients(number: Number) -> Number:
    """Return a number with the clients that the name of its table has, if it has none itself."""
    match = CLIENTS.search(_named(number))
    if match is None or "clients" in number.values:
        return number
    return replace(number, values={**number.values, "clients": match[1]})


def _groups(numbers: Sequence[Number]) -> list[list[Number]]:
    """Return numbers of one folder by measurement: tables are of one if most of them agree."""
    by_tag: dict[str, list[Number]] = defaultdict(list)
    for each in numbers:
        by_tag[tag_of(each)].append(each)
    groups: list[list[Number]] = []
    for own in by_tag.values():
        for group in groups:
            if not _contradict(group, own):
                group += own
                break
        else:
            groups.append(own)
    return groups


def _contradict(one: Iterable[Number], other: Iterable[Number]) -> bool:
    """Return whether most cells that two groups share have different numbers in them.

    Ratios count where there are no other numbers: those of different measurements may be equal.
    """
    of_one = {(each.directory, each.cell): each for each in one if not each.is_base}
    shared = [
        (each, of_one[key]) for each in other if (key := (each.directory, each.cell)) in of_one
    ]
    absolute = [pair for pair in shared if not pair[0].is_ratio]
    compared = absolute or shared
    return 2 * sum(each.contradicts(same) for each, same in compared) > len(compared)


def _below(directory: str, tag: str) -> str:
    path = PurePosixPath(directory)
    return str(path.parent / tag / path.name)
