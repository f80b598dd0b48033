"""Makes the map of an archive, or adds to the one that is there what is new in the archive."""

import os
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from perfpress.base.console import printable
from perfpress.base.display import plural
from perfpress.base.problems import BadInput, Problem
from perfpress.base.slugs import reserved
from perfpress.base.toml.read import Document, convert, parse_toml, read_text
from perfpress.base.toml.words import shown_value
from perfpress.host.importing.archive import ResultDirectory
from perfpress.host.importing.builds import REPEAT
from perfpress.host.importing.by_content import rules_by_content
from perfpress.host.importing.distinction import AXIS, Described, described
from perfpress.host.importing.file_rules import Rules
from perfpress.host.importing.kind import ArchiveKind
from perfpress.host.importing.map_file import (
    ALIKE,
    CALLED_AS_REPEATS,
    DIRECTORIES,
    FILES_SAY,
    FILL_IN,
    LATER,
    FileRule,
    Map,
    assignment,
    directory_text,
    drafted,
    rule_text,
)
from perfpress.input.bundles.patterns import placeholders, unclosed
from perfpress.input.bundles.safety import shown_name

MOST_SHOWN = 5

PUBLIC_NAME = "a name that may be published"
EXPECTED = {
    "event": 'what was sampled, such as "cycles", or "unknown": the captures do not say',
    "work": '"timed" where steps run for a set time, "fixed" where they do the same operations',
}
"""Of keys that are no names."""


@dataclass(frozen=True)
class MapText:
    """A map as text, and as read from it."""

    text: str
    value: Map
    document: Document
    rules: Rules


def new_map(
    kind: ArchiveKind, directories: Sequence[ResultDirectory], given: Mapping[str, str]
) -> str:
    """Return the text of a map for an archive.

    Args:
        kind: of the archive.
        directories: all of it.
        given: what people know, empty where not: `report`, `host`, `benchmark`, and what the kind
            asks for.
    """
    values = {**given, "benchmark": given["benchmark"] or kind.benchmark, "step": kind.step}
    text = drafted(kind.name, values, kind.operations)
    found = _missing_rules(kind, directories, (), kind.always)
    names = described(kind, directories, Rules(found.rules))
    return text + found.text + DIRECTORIES + _directories_text(names, directories)


def extended(old: MapText, kind: ArchiveKind, directories: Sequence[ResultDirectory]) -> str:
    """Return the text of a map with what it lacks at its end; existing lines stay as they are."""
    known = {entry.source for entry in old.value.directories}
    unknown = [each for each in directories if each.name not in known]
    left_out = {entry.source for entry in old.value.directories if entry.leave_out}
    wanted = [each for each in directories if each.name not in left_out]
    found = _missing_rules(kind, wanted, old.value.files, ())
    names = described(kind, directories, Rules((*old.value.files, *found.rules)))
    more = found.text + _directories_text(names, unknown)
    return old.text.rstrip("\n") + "\n" + LATER + more if more else old.text


def with_given(text: str, old: Map, given: Mapping[str, str], shown_as: str) -> str:
    """Return the text of a map with keys that are empty in it filled in from the command line.

    Raises:
        BadInput: the map has another value.
    """
    for key, value in given.items():
        stated = getattr(old, key)
        if value and not stated:
            empty, full = (f"\n{assignment(key, each)}\n" for each in ("", value))
            if empty not in text:
                # The map was written before there was this key.
                kind = f"\n{assignment('kind', old.kind)}\n"
                text = text.replace(kind, f"{kind[:-1]}{empty}", 1)
            text = text.replace(empty, full, 1)
        elif value and value != stated:
            found = f"{key} is {shown_value(stated)}, and --{key} is {shown_value(value)}"
            do = f"correct the map, or leave out --{key}"
            raise BadInput(Problem(path=shown_as, found=found, expected="one", do=do))
    return text


def read_map(text: str, shown_as: str, kind: ArchiveKind) -> MapText:
    """Return a map from its text.

    Raises:
        BadInput: it is none, or of another kind of archive.
    """
    document, problems = parse_toml(text, shown_as)
    if document is None:
        raise BadInput(*problems)
    read = convert(document, Map)
    if read.value is None:
        raise BadInput(*read.problems)
    found = [*_clashes(read.value, document, kind)]
    try:
        rules = Rules(read.value.files)
    except ValueError as error:
        found.append(Problem(path=shown_as, found=str(error), do="correct the pattern"))
    if found:
        raise BadInput(*found)
    return MapText(text, read.value, document, rules)


def open_map(path: Path, kind: ArchiveKind) -> MapText | None:
    """Return the map of that name; `None` where there is none yet.

    Raises:
        BadInput: it cannot be read, or is none.
    """
    if not path.exists():
        return None
    text, problems = read_text(path, str(path))
    if text is None:
        raise BadInput(*problems)
    return read_map(text, str(path), kind)


def with_whole_paths(kind: ArchiveKind, rules: Rules) -> ArchiveKind:
    """Return a kind of which files that a pattern for whole paths fits are of the archive's top."""
    return kind._replace(home=lambda path: "" if rules.decides(path) else kind.home(path))


@dataclass(frozen=True)
class MapUpdate:
    """A map after it was written or added to."""

    map: MapText
    is_new: bool
    added: int
    """Directories that the map did not have before."""


def update_map(
    path: Path,
    kind: ArchiveKind,
    directories: Sequence[ResultDirectory],
    given: Mapping[str, str],
    study: str,
) -> MapUpdate:
    """Write the map of an archive, or add to it what is new in the archive.

    Args:
        path: of the map.
        kind: of the archive.
        directories: all of it.
        given: what people know, as for a new map.
        study: the report of a new map, where none is given.

    Raises:
        BadInput: the file is not a map of such an archive, or says otherwise than `given`.
    """
    old = open_map(path, kind)
    if old is None:
        known: set[str] = set()
        text = new_map(kind, directories, {**given, "report": given["report"] or study})
    else:
        known = {entry.source for entry in old.value.directories}
        filled = read_map(with_given(old.text, old.value, given, str(path)), str(path), kind)
        text = extended(filled, kind, directories)
    updated = read_map(text, str(path), kind)
    if old is None or text != old.text:
        _write(path, text)
    added = sum(1 for each in directories if each.name not in known)
    return MapUpdate(updated, old is None, added)


def _write(path: Path, text: str) -> None:
    unfinished = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        unfinished.write_text(text, encoding="utf-8")
        unfinished.replace(path)
    except OSError as error:
        found, do = f"cannot be written ({error.strerror})", "name another place: --map FILE"
        raise BadInput(Problem(path=str(path), found=found, expected="a map", do=do)) from error


def to_fill_in(
    map_text: MapText, directories: Iterable[ResultDirectory], keys: Iterable[str] = FILL_IN
) -> list[Problem]:
    """Return what a person has to say before runs can be made.

    Args:
        map_text: the map.
        directories: of the archive.
        keys: that have to be known of all.
    """
    value, document = map_text.value, map_text.document
    rules = map_text.rules
    said = {each.name: rules.said(each) for each in directories if rules.measures(each)}
    entries = [
        (position, entry)
        for position, entry in enumerate(value.directories)
        if entry.source in said and not entry.leave_out
    ]
    problems: list[Problem] = []
    for key in keys:
        if not getattr(value, key) and any(
            not getattr(each, key, "") and key not in said[each.source] for _, each in entries
        ):
            expected = EXPECTED.get(key, PUBLIC_NAME)
            do = f"fill it in, or add --{key}, and run the same command again"
            if key == "host" and any(AXIS in entry.axes for _, entry in entries):
                do += f'; where axes.{AXIS} are hosts, write host = "…" instead of them'
            problems.append(_empty(document, f"`{key}`", expected, do, key))
    for position, entry in entries:
        if not entry.release and "release" not in said[entry.source]:
            name = f"`release` of {shown_value(entry.source)}"
            do = "fill it in, and run the same command again"
            problems.append(
                _empty(document, name, PUBLIC_NAME, do, "directory", position, "release")
            )
        for level in ("report", "release", "host"):
            name = getattr(entry, level) or getattr(value, level, "")
            if name and reserved(name, level):
                found = f"a {level} may not be called {shown_value(name)}"
                line = document.line("directory", position, level)
                do = "choose another name"
                problems.append(Problem(path=document.shown_as, line=line, found=found, do=do))
    return problems


def _empty(document: Document, name: str, expected: str, do: str, *path: str | int) -> Problem:
    return Problem(
        path=document.shown_as,
        line=document.line(*path),
        found=f"{name} is empty",
        expected=expected,
        do=do,
    )


def _clashes(value: Map, document: Document, kind: ArchiveKind) -> Iterable[Problem]:
    if value.kind != kind.name:
        yield Problem(
            path=document.shown_as,
            line=document.line("kind"),
            found=f"a map of {shown_value(value.kind)} archives",
            expected=kind.name,
            do="give this archive a map of its own: --map FILE",
        )
    if rest := unclosed(value.step):
        yield Problem(
            path=document.shown_as,
            line=document.line("step"),
            found=f"a brace that begins or ends no placeholder: {shown_value(rest)}",
            expected="{name}",
            do="close it, or remove it",
        )
    # The names of steps may be in the logs alone, as in summaries.
    known = placeholders(kind.step).union(*(placeholders(rule.match) for rule in value.files))
    for name in sorted(placeholders(value.step) - known):
        yield Problem(
            path=document.shown_as,
            line=document.line("step"),
            found=f"{{{name}}}, which no `match` of a [[file]] holds",
            expected=", ".join(f"{{{each}}}" for each in sorted(known)),
            do="name a part of file names by it in a match, or correct it",
        )
    names = [entry.source for entry in value.directories]
    for name, count in Counter(names).items():
        if count > 1:
            position = len(names) - 1 - names[::-1].index(name)
            yield Problem(
                path=document.shown_as,
                line=document.line("directory", position, "from"),
                found=f"{shown_value(name)} a second time",
                expected="each directory once",
                do="remove one of the entries",
            )


class _MissingRules(NamedTuple):
    rules: tuple[FileRule, ...]
    text: str


def _missing_rules(
    kind: ArchiveKind,
    directories: Iterable[ResultDirectory],
    known: Sequence[FileRule],
    always: Sequence[FileRule],
) -> _MissingRules:
    """Return rules for all files that no known one fits."""
    there = Rules(known)
    counts: Counter[FileRule] = Counter(dict.fromkeys(always, 0))
    samples: dict[FileRule, Path] = {}
    unknown: list[str] = []
    for directory in directories:
        for file in directory.files:
            if there.of(directory, file.name) is not None:
                continue
            if (rule := kind.rule(file.name)) is not None:
                counts[rule] += 1
                samples.setdefault(rule, directory.path / file.name)
            elif not known:
                unknown.append(f"{directory.name}/{file.name}")
    read = rules_by_content({rule: path for rule, path in samples.items() if rule.is_unknown})
    counts = Counter({read.get(rule, rule): count for rule, count in counts.items()})
    rules = tuple(kind.ordered(counts))
    text = "".join(rule_text(rule, plural(counts[rule], "file")) for rule in rules)
    if unknown:
        some = ", ".join(map(shown_name, islice(unknown, MOST_SHOWN)))
        more = ", …" if len(unknown) > MOST_SHOWN else ""
        text += f"\n# Left out, for no [[file]] fits: {plural(len(unknown), 'file')}: "
        text += f"{some}{more}\n"
    return _MissingRules(rules, text)


def _directories_text(names: Described, directories: Sequence[ResultDirectory]) -> str:
    entries: list[str] = []
    for each in directories:
        entry = names.entries[each.name]
        of_files = FILES_SAY if each.name in names.of_files else ""
        comments = [plural(len(each.files), "file") + of_files]
        of_tables = Counter(number.file for number in each.numbers)
        comments += (f"{plural(count, 'number')} of {file}" for file, count in of_tables.items())
        entries.append(directory_text(entry, comments if each.files else comments[1:]))
    if names.alike and any(AXIS in names.entries[each.name].axes for each in directories):
        entries.insert(0, ALIKE.format(*map(printable, names.alike)))
    if any(REPEAT in names.entries[each.name].axes for each in directories):
        entries.insert(0, CALLED_AS_REPEATS)
    return "".join(entries)
