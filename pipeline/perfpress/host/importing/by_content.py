"""Archives of any tool's output: what files hold decides, and only releases are read from names.

    <release>/<step>.txt      <release>/<step>/<file>      <release>/<file that names its steps>
    <release>/<variant>/<step>.txt, where a folder holds several steps
    <step>/<release>.txt      <step>_<release>.txt      <step>/<release>/out.txt

A release is a directory called as a version or build; of others a person has to say the release.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from msgspec.structs import replace

from perfpress.base.problems import BadInput
from perfpress.host.drafting.draft import HOST_LOGS, capture_formats
from perfpress.host.drafting.operations import operation_of_formats
from perfpress.host.drafting.pairing import COMPRESSED, is_diff, stem, subject
from perfpress.host.importing.archive import files_of
from perfpress.host.importing.builds import build_of, entry_of, named_build
from perfpress.host.importing.flame_graphs import names_event
from perfpress.host.importing.kind import ArchiveKind
from perfpress.host.importing.map_file import UNKNOWN, DirectoryEntry, FileRule
from perfpress.host.importing.rocksdb_summaries import of_repeated_rows, read_summaries
from perfpress.input.logs.read import format_of, read_log

NAME = "logs"

EXPECTED = "logs and captures in directories called as releases, such as 8.4.5/insert.txt"

DIGITS = re.compile(r"[0-9]+")
OF_REPEAT = re.compile(r"(?:run|rep|repeat|iter|iteration|round|trial|try)[-_]?[0-9]+")
"""What folders of repeats are called: no step is."""

MANY = (
    "several logs of one step: say in the map what tells them apart, by {release}, {repeat} or "
    "{axis_…} in a match"
)
NO_STEP = "its name does not say the step"
NO_ENDING = "its name has no ending that tells it from other files"
TOO_DEEP = "deeper than <release>/<step>/<file>"
LIKE_LOGS = "a capture that is called as logs are"
RELEASE = "{release}"
OF_FOLDER = "{axis_folder}/"
"""How patterns begin for files in folders that are variants."""
DIFF = "drawn of two releases; diffs are made anew"


class _Content(NamedTuple):
    """What one file is."""

    format: str
    """Of a log or capture; empty where nothing recognizes it."""
    is_log: bool = False
    is_host_log: bool = False
    benchmarks: tuple[str, ...] = ()
    """What the log itself calls its benchmarks."""


def kind_by_content(roots: Sequence[Path], captures_alone: bool = False) -> ArchiveKind | None:
    """Return a kind that reads what the files below some directories hold.

    `None` if that is no log of a benchmark, or, where captures alone will do, no capture either.
    """
    contents: dict[str, _Content] = {}
    for root in roots:
        names = files_of(root)
        logs = {name: _log(root / name) for name in names}
        rest = [name for name, content in logs.items() if not content.format]
        captures = _captures(root, rest)
        for name in names:
            contents[name] = _Content(captures[name]) if name in captures else logs[name]
    steps = _directories_of_steps(contents)
    found = {place(name, steps): content for name, content in contents.items()}
    benchmarks = Counter(
        content.format for content in found.values() if content.is_log and not content.is_host_log
    )
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
    rules = dict(_rules(found))
    homes = {home for (home, _), content in found.items() if content.format}
    return ArchiveKind(
        name=NAME,
        benchmark=next(iter(benchmarks)) if len(benchmarks) == 1 else "",
        home=lambda name: home if (home := place(name, steps)[0]) in homes else None,
        rule=lambda name: rules.get(_key(name)),
        entry=entry,
        step="{step}",
        asks=("event", "work"),
        names_event=lambda name: names_event(name) or not _is_capture(rules, name),
        operations={"*": operation_of_formats(set(benchmarks))},
        groups=lambda _: None,
        read_table=read_summaries,
        expected=EXPECTED,
    )


def _directories_of_steps(contents: Mapping[str, _Content]) -> frozenset[str]:
    """Return the directories above releases that are steps, as nothing below them says one.

    `insert/8.4.5/out.txt` and `scan/8.4.5/out.txt`; one such directory alone may be anything.
    """
    silent: dict[str, bool] = {}
    for name, content in contents.items():
        *folders, last = name.split("/")
        while folders and OF_REPEAT.fullmatch(folders[-1]):
            folders.pop()
        directory, release = "/".join(folders[:-1]), "".join(folders[-1:])
        if (
            directory
            and _is_release_directory(release)
            and content.is_log
            and not content.is_host_log
        ):
            says_step = bool(subject(last) or content.benchmarks)
            silent[directory] = silent.get(directory, True) and not says_step
    beside = Counter(directory.rpartition("/")[0] for directory, is_so in silent.items() if is_so)
    return frozenset(
        directory
        for directory, is_so in silent.items()
        if is_so and beside[directory.rpartition("/")[0]] > 1
    )


def place(name: str, steps: Collection[str] = ()) -> tuple[str, str]:
    """Return the directory of the release that a file is of, and its path inside.

    Where the file is called as the release, or its directory in that of a step is, the path has
    `{release}` in its place.

    Args:
        name: of the file.
        steps: directories of a step, with a directory a release.
    """
    *folders, last = name.split("/")
    at = next((at for at, part in enumerate(folders) if _is_release_directory(part)), None)
    if at is not None and "/".join(folders[:at]) in steps:
        of_step = (folders[at - 1], RELEASE, *folders[at + 1 :], last)
        return "/".join(folders[: at - 1]), "/".join(of_step)
    if at is not None:
        return "/".join(folders[: at + 1]), "/".join((*folders[at + 1 :], last))
    if called := _with_release(last):
        # Where nothing else is in the file's name, the step is what its directory is called.
        inside = folders[len(folders) - (0 if _says_step(called, last) else 1) :]
        return "/".join(folders[: len(folders) - len(inside)]), "/".join((*inside, called))
    return "/".join(folders[:1]), "/".join((*folders[1:], last))


def _with_release(file: str) -> str:
    """Return a file's name with `{release}` for the one part that is called as one; else nothing.

    `pgbench_15.4_ro.log` is `pgbench_{release}_ro.log`; the counter of what pytest-benchmark saves
    says nothing: `0003_v2.5.0.json` is `*_{release}.json`.
    """
    name = stem(file)
    parts = re.split(r"[_-](?!v\d+(?:[_-]|\.\D|$))", name)
    found = [part for part in parts if _is_release(part)]
    # o.pg19b1; numbers between dots may be anything
    found = found or [part for part in name.split(".") if part[0:1].isalpha() and _is_release(part)]
    called = file.replace(found[0], RELEASE, 1) if len(found) == 1 else ""
    return re.sub(rf"^\d{{4}}_(?={RELEASE})", "*_", called)


def _says_step(called: str, file: str) -> bool:
    """Return whether there is more in a file's name than the release and its program.

    `o.ma.ma110806.txt` says no step.
    """
    name = subject(called)
    return bool(name) and re.search(rf"(?:^|[._-]){re.escape(name)}\d", file) is None


def _key(name: str) -> str:
    """Return the path inside the directory of a release that rules are found by."""
    *folders, last = COMPRESSED.sub("", name).split("/")
    if len(folders) > 1 and _is_release_directory(folders[1]):
        return "/".join((folders[0], RELEASE, *folders[2:], last))
    return "/".join((*folders, _with_release(last) or last))


def _folder(inner: str) -> str:
    """Return the folder of a file inside the directory of a release, or of a step's releases."""
    return inner.rpartition("/")[0].removesuffix(f"/{RELEASE}")


def _is_release(part: str) -> bool:
    return build_of(part).version is not None


def _is_release_directory(part: str) -> bool:
    """Return whether a directory is called as a release, alone or with a configuration.

    `pg175.x10a_c8r32` is; `5651.insert` may be a step.
    """
    named = named_build(part)
    return named.build.version is not None and (named.config is None or part[:1].isalpha())


def entry(name: str) -> DirectoryEntry:
    """Return the release in a directory's name; an empty one where it is not called as one."""
    last, repeat = of_repeated_rows(name.rsplit("/", 1)[-1])
    if not _is_release_directory(last):
        return DirectoryEntry(source=name, release="")
    return replace(entry_of(name, named_build(last)), repeat=repeat)


def _log(path: Path) -> _Content:
    found = format_of(path)
    if not found:
        return _Content("")
    is_host_log = found in HOST_LOGS
    benchmarks = () if is_host_log else read_log(path, path.name).benchmarks
    return _Content(found, True, is_host_log, tuple(each.name for each in benchmarks))


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


def _rules(found: Mapping[tuple[str, str], _Content]) -> Iterator[tuple[str, FileRule]]:
    """Yield how files are used, by their paths inside the directories of releases."""
    homes: dict[str, dict[str, _Content]] = defaultdict(dict)
    for (home, inner), content in found.items():
        homes[home][inner] = content
    best: dict[str, _Content] = {}
    for files in homes.values():
        for inner, content in files.items():
            # A log that breaks off in one release is one all the same, and said to break off.
            better = bool(content.format), len(content.benchmarks)
            known = best.get(inner, _Content(""))
            if inner not in best or better > (bool(known.format), len(known.benchmarks)):
                best[inner] = content
    variants = _folders_of_variants(best)
    doubts: dict[str, str] = {}
    for files in homes.values():
        doubts |= _doubts({inner: best[inner] for inner in files}, variants)
    of_logs = {pattern(COMPRESSED.sub("", each), variants) for each in best if best[each].is_log}
    for inner, content in best.items():
        plain = COMPRESSED.sub("", inner)
        reason = doubts.get(inner) or ("" if content.format else UNKNOWN)
        match = pattern(plain, variants)
        if reason:
            yield plain, FileRule(match=plain, use="leave out", because=reason)
        elif _names_steps(inner, content, variants):
            folder, _, last = plain.rpartition("/")
            match = f"{OF_FOLDER}{last}" if folder in variants else plain
            yield plain, FileRule(match=match, use="log", because=content.format)
        elif content.is_log:
            yield plain, FileRule(match=match, use="log")
        elif match in of_logs:
            yield plain, FileRule(match=plain, use="leave out", because=LIKE_LOGS)
        else:
            yield plain, FileRule(match=match, use="capture")


def _names_steps(inner: str, content: _Content, variants: Collection[str]) -> bool:
    """Return whether steps are called as the log calls them, not as its path does."""
    folder = _folder(inner)
    said_by_path = bool(subject(inner)) or (folder and folder not in variants)
    return len(content.benchmarks) > 1 or (len(content.benchmarks) == 1 and not said_by_path)


def _folders_of_variants(files: Mapping[str, _Content]) -> frozenset[str]:
    """Return the folders below releases that hold several steps: they are no step, but a variant.

    `c1/ro.txt` and `c1/rw.txt` of a release are steps `ro` and `rw` of the variant `c1`. So are
    those called as repeats, as no two of them are merged unsaid.
    """
    steps: dict[str, set[str]] = defaultdict(set)
    naming: set[str] = set()
    for inner, content in files.items():
        folder = _folder(inner)
        is_benchmark = content.is_log and not content.is_host_log
        if not folder or not content.format or is_diff(inner):
            continue
        if len(content.benchmarks) > 1:
            naming.add(folder)
        elif (is_benchmark or not content.is_log) and subject(inner):
            steps[folder].add(subject(inner))
    several = {folder for folder, names in steps.items() if len(names) > 1}
    repeats = {folder for folder in map(_folder, files) if OF_REPEAT.fullmatch(folder)}
    return frozenset(several | repeats | (naming if len(naming) > 1 else set()))


def _doubts(files: Mapping[str, _Content], variants: Collection[str]) -> Mapping[str, str]:
    """Return why some files of a release are of no certain step."""
    doubts: dict[str, str] = {}
    by_step: dict[tuple[str, str], list[str]] = defaultdict(list)
    for inner, content in files.items():
        is_benchmark = content.is_log and not content.is_host_log
        folder = _folder(inner)
        variant = folder if folder in variants else ""
        says_step = bool(subject(inner)) or (folder and not variant)
        if not content.format:
            continue
        if is_diff(inner):
            doubts[inner] = DIFF
        elif "/" in folder:
            doubts[inner] = TOO_DEEP
        elif _names_steps(inner, content, variants):
            for name in content.benchmarks:
                by_step[variant, name].append(inner)
        elif is_benchmark:
            step = folder if folder and not variant else subject(inner) or stem(inner)
            by_step[variant, step].append(inner)
        elif not says_step:
            doubts[inner] = NO_STEP
        if inner not in doubts and pattern(COMPRESSED.sub("", inner), variants) == "{step}":
            doubts[inner] = NO_ENDING
    for names in by_step.values():
        doubts |= dict.fromkeys(names if len(names) > 1 else (), MANY)
    return doubts


def pattern(inner: str, variants: Collection[str] = ()) -> str:
    """Return a pattern for a file and the others of its sort: where the step stands in its name.

    Args:
        inner: its path below the directory of a release.
        variants: folders there that are no steps.
    """
    folder, last = _folder(inner), inner.rpartition("/")[2]
    if folder and folder not in variants:
        last = DIGITS.sub("*", last)
        return f"{{step}}{inner.rpartition('/')[0].removeprefix(folder)}/{last}"
    name = subject(inner) or stem(inner)
    before, _, after = last.partition(name)
    before, after = (DIGITS.sub("*", each) for each in (before, after))
    return f"{OF_FOLDER if folder else ''}{before}{{step}}{after}"


def _is_capture(rules: Mapping[str, FileRule], name: str) -> bool:
    rule = rules.get(_key(name))
    return rule is not None and rule.use == "capture"
