"""Archives of any tool's output: what files hold decides, and only releases are read from names.

    <release>/<step>.txt      <release>/<step>/<file>      <release>/<file that names its steps>

A release is a directory called as a version or build; of others a person has to say the release.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from perfpress.base.problems import BadInput
from perfpress.host.drafting.draft import HOST_LOGS, capture_formats
from perfpress.host.drafting.pairing import COMPRESSED, is_diff, stem, subject
from perfpress.host.importing.archive import files_of
from perfpress.host.importing.builds import build_of
from perfpress.host.importing.flame_graphs import names_event
from perfpress.host.importing.kind import Kind
from perfpress.host.importing.map_file import DirectoryEntry, FileRule
from perfpress.input.logs.read import format_of, read_log

NAME = "logs"

# 8.4.5 · v17.2 · mysql-8.0.37 · 19.1beta2
VERSION = re.compile(r"(?:[A-Za-z]+[-_]?)?v?\d+(?:\.\d+)+(?:[-_.]?(?:alpha|beta|rc|dev|m)\d*)?")

EXPECTED = "logs and captures in directories called as releases, such as 8.4.5/insert.txt"

MANY = "several logs of one step: repeats need directories of their own"
NO_STEP = "its name does not say the step"
NO_ENDING = "its name has no ending that tells it from other files"
TOO_DEEP = "deeper than <release>/<step>/<file>"
OF_SEVERAL = "of several steps in one directory: say in the map what the names mean"
UNKNOWN = "of no format that is known"
LIKE_LOGS = "a capture that is called as logs are"
DIFF = "drawn of two releases; diffs are made anew"


class _Content(NamedTuple):
    """What one file is."""

    format: str
    """Of a log or capture; empty where nothing recognizes it."""
    is_log: bool = False
    is_host_log: bool = False
    names_steps: bool = False


def kind_by_content(roots: Sequence[Path]) -> Kind | None:
    """Return a kind that reads what the files below some directories hold; `None` if no log."""
    found: dict[tuple[str, str], _Content] = {}
    for root in roots:
        names = files_of(root)
        logs = {name: _log(root / name) for name in names}
        rest = [name for name, content in logs.items() if not content.format]
        captures = _captures(root, rest)
        for name in names:
            content = _Content(captures[name]) if name in captures else logs[name]
            found[place(name)] = content
    benchmarks = Counter(
        content.format for content in found.values() if content.is_log and not content.is_host_log
    )
    if not benchmarks:
        return None
    rules = dict(_rules(found))
    homes = {home for (home, _), content in found.items() if content.format}
    return Kind(
        name=NAME,
        benchmark=next(iter(benchmarks)) if len(benchmarks) == 1 else "",
        home=lambda name: place(name)[0] if place(name)[0] in homes else None,
        rule=lambda name: rules.get(COMPRESSED.sub("", name)),
        entry=entry,
        step="{step}",
        asks=("event", "work"),
        names_event=lambda name: names_event(name) or not _is_capture(rules, name),
        operations={"*": "operation"},
        groups=lambda _: None,
        expected=EXPECTED,
    )


def place(name: str) -> tuple[str, str]:
    """Return the directory of the release that a file is of, and its path inside."""
    parts = name.split("/")
    at = next((at for at, part in enumerate(parts[:-1]) if _is_release(part)), None)
    if at is None:
        at = 0 if len(parts) > 1 else -1
    return "/".join(parts[: at + 1]), "/".join(parts[at + 1 :])


def _is_release(part: str) -> bool:
    return VERSION.fullmatch(part) is not None or build_of(part).version is not None


def entry(name: str) -> DirectoryEntry:
    """Return the release in a directory's name; an empty one where it is not called as one."""
    last = name.rsplit("/", 1)[-1]
    if not _is_release(last):
        return DirectoryEntry(source=name, release="")
    release, version, flavour = build_of(last)
    axes = {"build": flavour} if flavour else {}
    return DirectoryEntry(source=name, release=release, version=version, axes=axes)


def _log(path: Path) -> _Content:
    found = format_of(path)
    if not found:
        return _Content("")
    is_host_log = found in HOST_LOGS
    names_steps = not is_host_log and len(read_log(path, path.name).benchmarks) > 0
    return _Content(found, True, is_host_log, names_steps)


def _captures(root: Path, names: Sequence[str]) -> Mapping[str, str]:
    try:
        return capture_formats(root, names)
    except BadInput:
        return {}  # without Node captures are left out, as of no format that is known


def _rules(found: Mapping[tuple[str, str], _Content]) -> Iterator[tuple[str, FileRule]]:
    """Yield how files are used, by their paths inside the directories of releases."""
    homes: dict[str, dict[str, _Content]] = defaultdict(dict)
    for (home, inner), content in found.items():
        homes[home][inner] = content
    best: dict[str, _Content] = {}
    for files in homes.values():
        for inner, content in files.items():
            # A log that breaks off in one release is one all the same, and said to break off.
            if not best.get(inner, _Content("")).format:
                best[inner] = content
    doubts: dict[str, str] = {}
    for files in homes.values():
        doubts |= _doubts({inner: best[inner] for inner in files})
    of_logs = {pattern(COMPRESSED.sub("", each)) for each in best if best[each].is_log}
    for inner, content in best.items():
        plain = COMPRESSED.sub("", inner)
        reason = doubts.get(inner) or ("" if content.format else UNKNOWN)
        if reason:
            yield plain, FileRule(match=plain, use="leave out", because=reason)
        elif content.names_steps:
            yield plain, FileRule(match=plain, use="log", because=content.format)
        else:
            match = pattern(plain)
            if content.is_log:
                yield plain, FileRule(match=match, use="log")
            elif match in of_logs:
                yield plain, FileRule(match=plain, use="leave out", because=LIKE_LOGS)
            else:
                yield plain, FileRule(match=match, use="capture")


def _doubts(files: Mapping[str, _Content]) -> Mapping[str, str]:
    """Return why some files of a release are of no certain step."""
    doubts: dict[str, str] = {}
    by_step: dict[str, list[str]] = defaultdict(list)
    in_folder: dict[str, set[str]] = defaultdict(set)
    for inner, content in files.items():
        is_benchmark = content.is_log and not content.is_host_log
        folder, _, _ = inner.rpartition("/")
        if not content.format:
            continue
        if is_diff(inner):
            doubts[inner] = DIFF
        elif "/" in folder:
            doubts[inner] = TOO_DEEP
        elif content.names_steps:
            by_step[""].append(inner)
        elif is_benchmark:
            by_step[folder or subject(inner) or stem(inner)].append(inner)
        elif not folder and not subject(inner):
            doubts[inner] = NO_STEP
        if (
            not folder
            and not content.names_steps
            and pattern(COMPRESSED.sub("", inner)) == "{step}"
        ):
            doubts[inner] = NO_ENDING
        if folder and (is_benchmark or not content.is_log) and subject(inner):
            in_folder[folder].add(subject(inner))
    for names in by_step.values():
        doubts |= dict.fromkeys(names if len(names) > 1 else (), MANY)
    for folder, subjects in in_folder.items():
        if len(subjects) > 1:
            of_folder = (name for name in files if name.startswith(f"{folder}/"))
            doubts |= dict.fromkeys(of_folder, OF_SEVERAL)
    return doubts


def pattern(inner: str) -> str:
    """Return a pattern for a file and the others of its sort: where the step stands in its name."""
    folder, slash, last = inner.rpartition("/")
    if folder:
        return f"{{step}}{slash}{re.sub(r'[0-9]+', '*', last)}"
    name = subject(inner) or stem(inner)
    before, _, after = last.partition(name)
    before, after = (re.sub(r"[0-9]+", "*", each) for each in (before, after))
    return f"{before}{{step}}{after}"


def _is_capture(rules: Mapping[str, FileRule], name: str) -> bool:
    rule = rules.get(COMPRESSED.sub("", name))
    return rule is not None and rule.use == "capture"
