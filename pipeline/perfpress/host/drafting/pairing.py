"""Pairs files of a directory by name: `insert.txt` with `insert.svg.gz`, never `scan.svg.gz`."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

FileKind = Literal["benchmark", "host log", "capture", "settings", "unknown"]

COMPRESSED = re.compile(r"\.(?:gz|zst|xz)$")
ENDING = re.compile(
    r"\.(?:txt|log|out|csv|tsv|json|svg|folded|collapsed|pprof|pb|perf|script|stacks|speedscope|raw)$"
)
ANY = (
    r"(?:o|out|output|log|run|results?|bench|benchmark|test|client|server|flame-?graph|flame|stacks|"
    r"profile|perf|all|on-?cpu|off-?cpu|cpu|cycles|waits?|vmstat|iostat|time|top|stat|pgbench|"
    r"sysbench|db_bench|hammerdb|fio|folded|script|old|\d+|\{release\})"
)
"""What says nothing about a step, as parts of names."""
AT_BEGINNING = re.compile(rf"^{ANY}(?:[._-]|$)")
AT_END = re.compile(rf"(?:[._-]|^){ANY}$")
DIFF = re.compile(r"(?:^|[._-])diff(?:[._-]|$)")

ONLY_PROFILE = "profile"
"""The step of captures whose names say nothing."""


@dataclass
class StepFiles:
    """Files that seem to be of one step."""

    logs: list[str] = field(default_factory=list)
    captures: list[str] = field(default_factory=list)


def stem(file: str) -> str:
    """Return the last part of a file's name without its endings."""
    name = COMPRESSED.sub("", file.rpartition("/")[2])
    while shorter := ENDING.sub("", name):
        if shorter == name:
            break
        name = shorter
    return name


def subject(file: str) -> str:
    """Return what of a file's name may be that of a step: `insert` of `perf.insert.1.folded.gz`.

    Empty where it says nothing.
    """
    name = stem(file)
    while name:
        shorter = AT_END.sub("", AT_BEGINNING.sub("", name.lower(), count=1), count=1)
        if len(shorter) == len(name):
            break
        at = name.lower().find(shorter)
        name = name[at : at + len(shorter)]
    return name


def paired(kinds: Mapping[str, FileKind]) -> dict[str, StepFiles]:
    """Return the steps of the files of one directory, by name.

    Each log of a benchmark is a step; without one, captures of one subject are. A file whose name
    says nothing is of the only step, and of none where there are several.
    """
    groups: dict[str, StepFiles] = {}
    for name in _of(kinds, "benchmark"):
        groups.setdefault(stem(name), StepFiles()).logs.append(name)
    others = [*_of(kinds, "host log"), *_of(kinds, "capture")]
    unnamed: list[str] = []
    benchmarks = list(groups)
    takes_all = len(benchmarks) == 1 and not subject(benchmarks[0])
    for name in others:
        step = benchmarks[0] if takes_all else _step_of(name, benchmarks)
        is_own = kinds[name] == "capture" and subject(name) and not is_diff(name)
        if step is None and is_own:
            step = subject(name)
            groups.setdefault(step, StepFiles())
        if step is None:
            unnamed.append(name)
        else:
            _add(groups[step], name, kinds[name])
    if not groups and "capture" in kinds.values():
        groups[ONLY_PROFILE] = StepFiles()
    if len(groups) == 1:
        (only,) = groups.values()
        for name in unnamed:
            if not subject(name) and not is_diff(name):
                _add(only, name, kinds[name])
    return {name: group for name, group in groups.items() if group.logs or group.captures}


def is_diff(file: str) -> bool:
    """Return whether a file is called as one that was drawn of two captures."""
    return DIFF.search(stem(file)) is not None


def _of(kinds: Mapping[str, FileKind], kind: FileKind) -> list[str]:
    return [name for name, its in kinds.items() if its == kind]


def _step_of(file: str, benchmarks: Sequence[str]) -> str | None:
    """Return the benchmark that a file is called after; `None` where that is none, or several."""
    if is_diff(file):
        return None
    name = stem(file)
    begins = [each for each in benchmarks if re.match(rf"{re.escape(each)}(?:[._-]|$)", name)]
    if begins:
        return max(begins, key=len)
    same = [each for each in benchmarks if subject(file) and subject(each) == subject(file)]
    return same[0] if len(same) == 1 else None


def _add(group: StepFiles, name: str, kind: FileKind) -> None:
    (group.captures if kind == "capture" else group.logs).append(name)
