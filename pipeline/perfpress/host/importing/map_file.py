"""The map: what an archive's names were taken to say, for a person to correct.

It is read as people left it, and only ever grows at its end, so that no edit is lost.
"""

from collections.abc import Iterable, Iterator, Mapping
from fnmatch import fnmatchcase
from typing import Annotated, Any, Literal

import msgspec
import tomli_w
from msgspec import Meta

from perfpress.base.console import printable
from perfpress.input.bundles.schema import Instant, MachineFact, Name, PositiveCount

Reason = Annotated[str, Meta(min_length=1, max_length=1000)]

Use = Literal["log", "capture", "second-hand capture", "attachment", "leave out"]
"""How a file is used. What was drawn or summed up from other captures is `second-hand`: it is
used for a step only where no original exists, so that no sample counts twice."""


FILL_IN = ("report", "host", "benchmark")
"""Keys of the map that every run needs, and that an archive may not contain."""

KindOfWork = Literal["timed", "fixed"]

UNKNOWN = "of no format that is known"
"""Why a file is left out of which neither its name nor its content says what it is."""

UNLIKE_LOGS = "called as a log, but for its ending: {}"


class FileRule(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How the files that a pattern fits are used."""

    match: Annotated[str, Meta(min_length=1, max_length=1000)]
    """A path inside a directory of results, with `*` and `{placeholders}`, as in run.toml."""
    use: Use = msgspec.field(name="as")
    because: Reason | None = None

    @property
    def is_unknown(self) -> bool:
        """Whether the name of a file does not say what it holds."""
        return self.use == "leave out" and self.because == UNKNOWN


class DirectoryEntry(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What one directory of results is of; empty texts are to be filled in."""

    source: Name = msgspec.field(name="from")
    release: str
    version: Name | None = None
    """For the draft of the report file only."""
    config: Name | None = None
    clients: PositiveCount | None = None
    """Where the names of files do not hold it."""
    started: Instant | None = None
    report: Name | None = None
    host: Name | None = None
    axes: dict[Name, Name] = {}
    repeat: PositiveCount | Name = 1
    """Of what was measured several times: two directories of one cell need different ones."""
    machine: dict[Name, MachineFact] = {}
    leave_out: Reason | None = None
    """Why nothing of it is imported."""


class Map(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The whole file."""

    kind: Name
    report: str = ""
    host: str = ""
    benchmark: str = ""
    step: Name
    """What steps are called, with the placeholders of the patterns."""
    operations: dict[Name, Name]
    """What is counted, in the singular, by a pattern for steps; the first that fits."""
    event: str = ""
    """What was sampled, of captures that do not say it."""
    work: Literal["timed", "fixed", ""] | dict[Name, KindOfWork] = ""
    """Whether steps run for a set time or do a set number of operations, or that by a pattern for
    steps; the first that fits."""
    machine: dict[Name, MachineFact] = {}
    tools: dict[Name, str] = {}
    files: tuple[FileRule, ...] = msgspec.field(name="file", default=())
    directories: tuple[DirectoryEntry, ...] = msgspec.field(name="directory", default=())


def operation_of(step: str, operations: Mapping[str, str]) -> str:
    """Return the operation of a step."""
    fitting = (what for pattern, what in operations.items() if fnmatchcase(step, pattern))
    return next(fitting, "operation")


def work_of(step: str, whole: Map) -> KindOfWork:
    """Return the kind of work of a step; timed where nobody says otherwise."""
    if isinstance(whole.work, str):
        return whole.work or "timed"
    fitting = (work for pattern, work in whole.work.items() if fnmatchcase(step, pattern))
    return next(fitting, "timed")


HEAD = """\
# What perfpress import took the names of directories and files to say. Fill in what is empty,
# correct what is wrong, and run the same command again: what is here is kept, and what is new
# in the archive is added at the end.
"""

RUN = """\
# The study. A directory can have its own: report = "…" below its release; the same for host.
{report}
# The machine that was measured. No name of a directory or file holds it.
{host}
# The program that measured.
{benchmark}
{asked}# What steps are called, with the parts of file names that [[file]] gives names to.
{step}

# What is counted, in the singular, by step; the first that fits.
[operations]
{operations}
# Facts about the machine; cpus is needed for CPU per operation where no log has it.
[machine]
# cpus = 8
# memory = "32 GiB"

# How files are used, by name; the first that fits. "log", "capture", "attachment" (settings,
# compared between releases), "leave out"; "second-hand capture" was made of other captures, and is
# taken only where a step has none of those.
"""

ASKED = {
    "event": """\
# What was sampled, such as "cycles": drawings and folded stacks do not say. "unknown" where nobody
# knows.
""",
    "work": """\
# "timed": steps run for a set time. "fixed": they do the same operations however long they take.
# Where steps differ: work = { "l.*" = "fixed", "*" = "timed" }
""",
}
"""What is said above keys that only some kinds of archives ask for."""

DIRECTORIES = """
# Directories. When a run began is taken from logs that have the date and its offset from UTC; of
# others add started = 2024-05-01T10:00:00Z where it is known.
# axes.… is what else must be equal when releases are compared. repeat = 2 says that the same was
# measured again. To import nothing of a directory: leave_out = "why".
"""

ALIKE = """
# axes.directory is what stands above directories that are the same otherwise, such as {} and
# {}. Where they are hosts, replace it by host = "…"; where they are repeats, by
# repeat = 1, 2, …
"""

CALLED_AS_REPEATS = """
# axes.run is how names end that are called as repeats. If they are, replace it by repeat = 1, 2, …
"""

FILES_SAY = ", whose names hold the release"

LATER = "\n# Found when perfpress import ran again.\n"


def assignment(key: str, value: Any) -> str:
    """Return `key = value`."""
    return tomli_w.dumps({key: value}).rstrip("\n")


def drafted(kind: str, values: Mapping[str, Any], operations: Mapping[str, str]) -> str:
    """Return the head of a new map.

    Args:
        kind: of the archive.
        values: `report`, `host`, `benchmark` and `step`, and what else the kind asks for.
        operations: by a pattern for steps.
    """
    lines = {name: assignment(name, value) for name, value in values.items()}
    asked = "".join(f"{ASKED[name]}{lines[name]}\n" for name in values if name in ASKED)
    lines_of_operations = "".join(
        assignment(each, what) + "\n" for each, what in operations.items()
    )
    return f"{HEAD}\n{assignment('kind', kind)}\n" + RUN.format(
        operations=lines_of_operations, asked=asked, **lines
    )


def rule_text(rule: FileRule, comment: str) -> str:
    """Return a rule as written in the map."""
    lines = [
        "",
        "[[file]]",
        assignment("match", rule.match),
        f"{assignment('as', rule.use)}{_trailing_comment(comment)}",
    ]
    if rule.because:
        lines.append(assignment("because", rule.because))
    return "\n".join(lines) + "\n"


def directory_text(entry: DirectoryEntry, comments: Iterable[str]) -> str:
    """Return a directory as written in the map."""
    lines = ["", "[[directory]]", *_entry_lines(entry)]
    lines += (f"# {printable(comment)}" for comment in comments)
    return "\n".join(lines) + "\n"


def _entry_lines(entry: DirectoryEntry) -> Iterator[str]:
    yield assignment("from", entry.source)
    yield assignment("release", entry.release)
    for name in ("version", "config", "clients"):
        if (value := getattr(entry, name)) is not None:
            yield assignment(name, value)
    if entry.repeat != 1:
        yield assignment("repeat", entry.repeat)
    for name, value in entry.axes.items():
        yield f"axes.{assignment(name, value)}"


def _trailing_comment(comment: str) -> str:
    return f"  # {printable(comment)}" if comment else ""
