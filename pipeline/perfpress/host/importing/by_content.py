"""Archives of any tool's output: what files hold decides, and only releases are read from names.

    <release>/<step>.txt      <release>/<step>/<file>      <release>/<file that names its steps>
    <release>/<variant>/<step>.txt, where a folder holds several steps
    <step>/<release>.txt      <step>_<release>.txt      <step>/<release>/out.txt

A release is a directory called as a version or build; of others a person has to say the release.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path

from msgspec.structs import replace

from perfpress.base.problems import BadInput
from perfpress.host.drafting.draft import (
    HOST_LOGS,
    LARGEST_ATTACHMENT,
    SETTINGS_SUFFIXES,
    capture_formats,
)
from perfpress.host.drafting.operations import operation_of_formats
from perfpress.host.drafting.pairing import subject
from perfpress.host.importing.archive import files_of
from perfpress.host.importing.builds import entry_of, named_build
from perfpress.host.importing.content_rules import Content, content_rules
from perfpress.host.importing.flame_graphs import names_event
from perfpress.host.importing.kind import ArchiveKind
from perfpress.host.importing.map_file import DirectoryEntry, FileRule
from perfpress.host.importing.path_parts import (
    OF_REPEAT,
    is_release_directory,
    key,
    place,
)
from perfpress.host.importing.rocksdb_summaries import of_repeated_rows, read_summaries
from perfpress.input.logs.clients import clients_stated
from perfpress.input.logs.read import format_of, read_log

NAME = "logs"

EXPECTED = "logs and captures in directories called as releases, such as 8.4.5/insert.txt"


def kind_by_content(roots: Sequence[Path], captures_alone: bool = False) -> ArchiveKind | None:
    """Return a kind that reads what the files below some directories hold.

    `None` if that is no log of a benchmark, or, where captures alone will do, no capture either.
    """
    contents: dict[str, Content] = {}
    for root in roots:
        names = files_of(root)
        logs = {name: _log(root / name) for name in names}
        rest = [
            name for name, content in logs.items() if not content.format and not content.is_settings
        ]
        captures = _captures(root, rest)
        for name in names:
            contents[name] = Content(captures[name]) if name in captures else logs[name]
    steps = _directories_of_steps(contents)
    found = {place(name, steps): content for name, content in contents.items()}
    benchmarks = Counter(content.format for content in found.values() if content.is_benchmark)
    has_tables = any(
        read_summaries(root / name, name)
        for root in roots
        for name in files_of(root)
        if not contents[name].format
    )
    if has_tables:
        benchmarks["db-bench"] += 1
    has_captures = any(content.format and not content.is_log for content in found.values())
    if not benchmarks and not (captures_alone and has_captures):
        return None
    rules = content_rules(found)
    homes = {home for (home, _, _), content in found.items() if content.format}
    return ArchiveKind(
        name=NAME,
        benchmark=next(iter(benchmarks)) if len(benchmarks) == 1 else "",
        home=lambda name: home if (home := place(name, steps).home) in homes else None,
        rule=lambda name: rules.get(key(name)),
        entry=entry,
        step="{step}",
        asks=("event", "work"),
        clients=lambda name: contents[name].clients if name in contents else None,
        names_event=lambda name: names_event(name) or not _is_capture(rules, name),
        operations={"*": operation_of_formats(set(benchmarks))},
        groups=lambda _: None,
        read_table=read_summaries,
        expected=EXPECTED,
    )


def _directories_of_steps(contents: Mapping[str, Content]) -> frozenset[str]:
    """Return the directories above releases that are steps, as nothing below them says one.

    `insert/8.4.5/out.txt` and `scan/8.4.5/out.txt`; one such directory alone may be anything.
    """
    silent: dict[str, bool] = {}
    for name, content in contents.items():
        *folders, last = name.split("/")
        while folders and OF_REPEAT.fullmatch(folders[-1]):
            folders.pop()
        directory, release = "/".join(folders[:-1]), "".join(folders[-1:])
        if directory and is_release_directory(release) and content.is_benchmark:
            says_step = bool(subject(last) or content.benchmarks)
            silent[directory] = silent.get(directory, True) and not says_step
    beside = Counter(directory.rpartition("/")[0] for directory, is_so in silent.items() if is_so)
    return frozenset(
        directory
        for directory, is_so in silent.items()
        if is_so and beside[directory.rpartition("/")[0]] > 1
    )


def entry(name: str) -> DirectoryEntry:
    """Return the release in a directory's name; an empty one where it is not called as one."""
    last, repeat = of_repeated_rows(name.rsplit("/", 1)[-1])
    if not is_release_directory(last):
        return DirectoryEntry(source=name, release="")
    return replace(entry_of(name, named_build(last)), repeat=repeat)


def _log(path: Path) -> Content:
    found = format_of(path)
    if not found:
        is_small = path.stat().st_size <= LARGEST_ATTACHMENT
        return Content("", is_settings=is_small and path.name.endswith(SETTINGS_SUFFIXES))
    if found in HOST_LOGS:
        return Content(found, is_log=True, is_host_log=True)
    reading = read_log(path, path.name)
    return Content(
        found,
        is_log=True,
        benchmarks=tuple(each.name for each in reading.benchmarks),
        clients=clients_stated(reading),
    )


def _captures(root: Path, names: Sequence[str]) -> Mapping[str, str]:
    try:
        return capture_formats(root, names)
    except BadInput:
        return {}  # without Node captures are left out, as of no format that is known


def rules_by_content(samples: Mapping[FileRule, Path]) -> Mapping[FileRule, FileRule]:
    """Return better rules for files whose names say nothing, by what one file of each sort holds.

    Those that no reader recognizes are not among them.
    """
    logs = {rule: format_of(path) for rule, path in samples.items()}
    others = {rule: path for rule, path in samples.items() if not logs[rule]}
    captures = _captures(Path("/"), [str(path.resolve()) for path in others.values()])
    found = {rule: replace(rule, use="log", because=name) for rule, name in logs.items() if name}
    for rule, path in others.items():
        if name := captures.get(str(path.resolve())):
            found[rule] = replace(rule, use="capture", because=name)
    return found


def _is_capture(rules: Mapping[str, FileRule], name: str) -> bool:
    rule = rules.get(key(name))
    return rule is not None and rule.use == "capture"
