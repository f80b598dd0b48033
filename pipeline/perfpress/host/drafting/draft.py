"""Drafts a run.toml from the files of a directory, for a person to complete."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

from msgspec.structs import replace

from perfpress.base.cache import Artifact
from perfpress.base.node.jobs import Job, ask
from perfpress.base.node.messages.profiles import RecogniseAnswer, RecogniseRequest
from perfpress.base.node.requests import PROFILE
from perfpress.base.problems import BadInput, Problem
from perfpress.host.drafting.operations import operation_of_formats
from perfpress.host.drafting.pairing import FileKind, StepFiles, is_diff, paired
from perfpress.input.bundles.schema import FILE_NAME, Run, Step
from perfpress.input.bundles.write import run_toml
from perfpress.input.logs.clients import clients_stated
from perfpress.input.logs.named_benchmarks import step_name as benchmark_step_name
from perfpress.input.logs.read import DescriptionFile, read_log
from perfpress.input.logs.readings import LogReading

HOST_LOGS = frozenset(
    {
        *("vmstat", "iostat", "sysstat-json", "sysstat-tables"),
        *("perf-stat", "time", "operation-rates"),
    }
    | {"explain-trace", "postgres-explain"}
)
"""Formats about the host or about single operations, not about a benchmark's run."""

SETTINGS_SUFFIXES = (".cnf", ".conf", ".cfg", ".ini", ".toml", ".yaml", ".yml", ".fio")
LARGEST_ATTACHMENT = 200_000
"""Bytes; a settings file is smaller."""

STACKS = frozenset({"perf-script", "folded", "pprof"})
MADE_OF_STACKS = frozenset({"flamegraph-svg", "perf-report"})

HEAD = """\
# Drafted by perfpress init. Fill in what is empty and correct what was guessed. `operation` is what
# is counted, in the singular: select, insert. Then run
#     perfpress check DIR
# started, config, [axes], [machine] and [tools] make the results comparable; of captures,
# capture = { seconds = 10.0 } says how long each lasted. All keys: /docs/bundle/ on the site,
# content/docs/bundle.md in the repository.
"""


Formats = Mapping[str, str | DescriptionFile]
"""How logs of a name are read, where that is not recognised."""
NO_FORMATS: Formats = MappingProxyType({})
ANY_LOG = ""
"""The name that stands for all logs that are not recognised."""


@dataclass(frozen=True)
class Draft:
    """A draft, and what it could not place."""

    text: str
    steps: tuple[str, ...]
    left_out: tuple[str, ...]
    """Files that were not recognised, or belong to no step for certain."""
    problems: tuple[Problem, ...] = ()
    """Why captures could not be recognized."""


@dataclass(frozen=True)
class Recognised:
    """What the files of a directory are."""

    directory: Path
    readings: Mapping[str, LogReading]
    """Of all files, by name; those of no log have no format."""
    captures: Mapping[str, str]
    """The formats of captures, by name."""
    problems: tuple[Problem, ...] = ()
    """Why captures could not be recognised."""

    def kind(self, name: str) -> FileKind:
        """Return what a file is."""
        if name in self.captures:
            return "capture"
        return _kind(self.directory / name, self.readings[name])


def recognised(
    directory: Path, names: Sequence[str], shown_as: str = "", formats: Formats = NO_FORMATS
) -> Recognised:
    """Read the logs among some files of a directory, and recognise the captures.

    Args:
        directory: where the files are.
        names: their names.
        shown_as: the name of the directory in messages; empty where that of a file is enough.
        formats: how logs are read.
    """
    above = f"{shown_as}/" if shown_as else ""
    readings = {}
    for name in names:
        path, shown = directory / name, f"{above}{name}"
        reading = read_log(path, shown, formats.get(path.name))
        if not reading.format and ANY_LOG in formats:
            reading = read_log(path, shown, formats[ANY_LOG])
        readings[name] = reading
    captures, problems = _captures(directory, readings)
    return Recognised(directory, readings, captures, problems)


def drafted_run(files: Recognised, names: Sequence[str], facts: Mapping[str, str]) -> Run:
    """Return the run that some files of a directory are of.

    Files are paired by name, and only settings become attachments: of other files a person decides.

    Args:
        files: of the directory.
        names: those of the run, sorted.
        facts: `report`, `release`, `benchmark`, `host`: what is known; others stay empty.
    """
    kinds = {name: files.kind(name) for name in names}
    groups = dict(_groups(kinds))
    for group in groups.values():
        group.captures = _at_first_hand(group.captures, files.captures)
    benchmarks = [files.readings[name] for name in names if kinds[name] == "benchmark"]
    return Run(
        schema=1,
        report=facts.get("report", ""),
        release=facts.get("release", ""),
        benchmark=facts.get("benchmark") or next((each.format for each in benchmarks), ""),
        host=facts.get("host", ""),
        clients=_clients(benchmarks),
        attachments=tuple(name for name in names if kinds[name] == "settings"),
        steps=_told_apart(
            [
                (name, step)
                for name, group in groups.items()
                for step in _steps(name, group, files.readings)
            ]
        ),
    )


def _told_apart(steps: Sequence[tuple[str, Step]]) -> tuple[Step, ...]:
    """Return steps with the name of their group before that of a benchmark that several have."""
    counts = Counter(step.name for _, step in steps)
    return tuple(
        replace(step, name=f"{group} {step.name}")
        if counts[step.name] > 1 and step.name != group
        else step
        for group, step in steps
    )


def draft(directory: Path, names: Sequence[str], facts: Mapping[str, str]) -> Draft:
    """Return a run.toml for the files of a directory.

    Args:
        directory: where the files are.
        names: their names, sorted.
        facts: as of `drafted_run`.
    """
    names = [name for name in names if name != FILE_NAME]
    files = recognised(directory, names)
    run = _named_as_benchmark(drafted_run(files, names, facts), files)
    placed = {file for step in run.steps for file in (*step.logs, *step.captures)}
    left_out = tuple(name for name in names if name not in placed and name not in run.attachments)
    steps = tuple(step.name for step in run.steps)
    return Draft(HEAD + run_toml(run), steps, left_out, files.problems)


def _named_as_benchmark(run: Run, files: Recognised) -> Run:
    """Return the run with its only step named as the only benchmark in its logs.

    Where there are several steps, the files have names that tell them apart.
    """
    if len(run.steps) != 1:
        return run
    step = run.steps[0]
    found = {name for log in step.logs for name in _step_names(files.readings[log])}
    return replace(run, steps=(replace(step, name=found.pop()),)) if len(found) == 1 else run


def _steps(name: str, group: StepFiles, readings: Mapping[str, LogReading]) -> list[Step]:
    """Return the step of a group, or one a benchmark where its logs hold several."""
    names = list(dict.fromkeys(name for log in group.logs for name in _step_names(readings[log])))
    logs, captures = tuple(group.logs), tuple(group.captures)
    formats = {readings[log].format for log in logs} - HOST_LOGS - {""}
    operation = operation_of_formats(formats)
    if len(names) < 2:
        return [Step(name=name, operation=operation, logs=logs, captures=captures)]
    # No file says which benchmark the other logs and the captures belong to.
    return [
        Step(
            name=each,
            operation=operation,
            logs=tuple(log for log in group.logs if each in _step_names(readings[log])),
        )
        for each in names
    ]


def _step_names(reading: LogReading) -> list[str]:
    return [benchmark_step_name(each.name) for each in reading.benchmarks]


def _captures(
    directory: Path, readings: Mapping[str, LogReading]
) -> tuple[Mapping[str, str], tuple[Problem, ...]]:
    """Return the formats of the captures among the files that nothing else claims, by name."""
    names = [
        name
        for name, reading in readings.items()
        # A setting with its value reads like a stack with its weight.
        if not reading.format and not name.endswith(SETTINGS_SUFFIXES)
    ]
    try:
        return capture_formats(directory, names), ()
    except BadInput as no_node:
        warnings = (replace(each, severity="warning") for each in no_node.problems)
        return {}, tuple(
            replace(each, expected=f"{each.expected}, to recognize captures") for each in warnings
        )


def _at_first_hand(names: list[str], formats: Mapping[str, str]) -> list[str]:
    """Return the captures of a step without the drawings and texts that were made of them.

    `perf.svg` next to `perf.folded` holds the same samples, which must not count twice.
    """
    if not any(formats[name] in STACKS for name in names):
        return names
    return [name for name in names if formats[name] not in MADE_OF_STACKS]


def _kind(path: Path, reading: LogReading) -> FileKind:
    if reading.format:
        return "host log" if reading.format in HOST_LOGS else "benchmark"
    is_small = path.stat().st_size <= LARGEST_ATTACHMENT
    return "settings" if is_small and path.name.endswith(SETTINGS_SUFFIXES) else "unknown"


def _groups(kinds: Mapping[str, FileKind]) -> Iterator[tuple[str, StepFiles]]:
    """Yield the steps by name: first those of the top, then those of the subdirectories.

    A subdirectory is a step, or several where it holds the files of several.
    """
    folders: dict[str, dict[str, FileKind]] = {"": {}}
    for name, kind in kinds.items():
        folder, slash, _ = name.partition("/")
        folders.setdefault(folder if slash else "", {})[name] = kind
    yield from paired(folders.pop("")).items()
    for folder, files in folders.items():
        steps = paired(files)
        if _is_one(steps):
            logs = [
                name for kind in ("benchmark", "host log") for name in files if files[name] == kind
            ]
            captures = [name for name in files if files[name] == "capture" and not is_diff(name)]
            yield folder, StepFiles(logs, captures)
        else:
            yield from ((f"{folder} {step}", group) for step, group in steps.items())


def _is_one(steps: Mapping[str, StepFiles]) -> bool:
    """Return whether the steps of a directory may be one: a log, and captures of one program."""
    with_logs = sum(bool(group.logs) for group in steps.values())
    return with_logs < 2 and len(steps) - with_logs < 2


def _clients(readings: Sequence[LogReading]) -> int | None:
    """Return the number of clients, where all logs say the same."""
    counts = {clients_stated(reading) for reading in readings}
    return counts.pop() if len(counts) == 1 else None


def capture_formats(directory: Path, names: Sequence[str]) -> dict[str, str]:
    """Return the formats of those files that are captures, by name.

    Raises:
        BadInput: there is no Node.
    """
    jobs = [Job(name, RecogniseRequest(path=Artifact(directory / name, ""))) for name in names]
    found = dict(zip(names, ask(PROFILE, jobs) if jobs else [], strict=True))
    return {
        name: answer.format
        for name, answer in found.items()
        if isinstance(answer, RecogniseAnswer) and answer.format
    }
