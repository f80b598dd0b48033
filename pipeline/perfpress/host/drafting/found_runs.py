"""Finds the runs that a file or directory holds, whether or not anybody wrote a run.toml for them.

results.txt                            one run: a log or a capture
results/insert.txt scan.txt            one run of two steps
results/insert.1.txt insert.2.txt      two runs of one step
results/1/insert.txt 2/insert.txt      the same
results/…/run.toml                     bundles: a run each
"""

import os
import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from msgspec.structs import replace

from perfpress.base.limits import LIMITS
from perfpress.base.problems import BadInput, Problem, bad_input
from perfpress.host.drafting.draft import (
    ANY_LOG,
    NO_FORMATS,
    Formats,
    Recognised,
    drafted_run,
    recognised,
)
from perfpress.host.drafting.pairing import ONLY_PROFILE, stem, subject
from perfpress.input.bundles.content_hash import FileFact, file_fact
from perfpress.input.bundles.read import Bundle, read_bundle
from perfpress.input.bundles.schema import FILE_NAME, Run, Step
from perfpress.input.bundles.variant import variant_of
from perfpress.input.logs.other_logs import is_capture
from perfpress.input.logs.read import other_log_in, read_log
from perfpress.input.logs.readings import LogReading
from perfpress.input.logs.workers import LogFile

ONLY_RUN = "run"
"""The step of logs that are called by numbers alone."""

REPEAT = re.compile(r"(?:(?:^|[._-])(?:run|rep|repeat|iter|trial|r)?|(?:run|rep|repeat))(\d+)$")
"""Ends the name of a repeat: `insert.2`, `insert-run2`, `run2`, `2`; no `range1000`, no `q100`."""


@dataclass
class FoundRuns:
    """The runs of one file or directory."""

    bundles: list[Bundle] = field(default_factory=list)
    """A run each."""
    read: dict[LogFile, LogReading] = field(default_factory=dict)
    """What was read already of their logs."""
    problems: list[Problem] = field(default_factory=list)

    def add(
        self,
        files: Recognised,
        names: Sequence[str],
        run_id: str,
        shown_as: str,
        repeats: Mapping[str, str],
    ) -> None:
        """Add the run that some files of a directory are of, if they are of any.

        `repeats` says what the steps of numbered logs are called in all runs.
        """
        run = drafted_run(files, names, {})
        steps = (replace(step, name=repeats.get(step.name, step.name)) for step in run.steps)
        run = replace(run, steps=tuple(steps))
        captures = [name for step in run.steps for name in step.captures]
        if run.steps:
            self._add(files.directory, run, run_id, shown_as, captures, files.readings)

    def add_file(self, path: Path, shown_as: str, reading: LogReading) -> None:
        """Add the run that one log or capture is of."""
        name = path.name
        if not reading.format:
            step = Step(name=subject(name) or ONLY_PROFILE, operation="operation", captures=(name,))
            run = Run(schema=1, report="", release="", benchmark="", host="", steps=(step,))
            self._add(path.parent, run, name, shown_as, [name], {})
            return
        files = Recognised(path.parent, {name: reading}, {})
        run = drafted_run(files, [name], {})
        if not run.steps:  # vmstat alone, say: no benchmark's run, and yet numbers to compare
            step = Step(name=stem(name), operation="operation", logs=(name,))
            run = Run(schema=1, report="", release="", benchmark="", host="", steps=(step,))
        self._add(path.parent, run, name, shown_as, [], files.readings)

    def _add(
        self,
        directory: Path,
        run: Run,
        run_id: str,
        shown_as: str,
        captures: Sequence[str],
        readings: Mapping[str, LogReading],
    ) -> None:
        # Checksums tell captures apart; nothing asks for those of logs.
        facts = [file_fact(directory, name) for name in dict.fromkeys(captures)]
        logs = dict.fromkeys(name for step in run.steps for name in step.logs)
        bundle = Bundle(
            directory=directory,
            shown_as=shown_as,
            run=run,
            run_id=run_id,
            content_hash="",
            variant=variant_of(run),
            steps=run.steps,
            files=(*facts, *(FileFact(name, 0, "") for name in logs)),
        )
        self.bundles.append(bundle)
        for name in logs:
            self.read[LogFile(directory / name, bundle.shown(name))] = readings[name]


def found_runs(path: Path, shown_as: str, formats: Formats = NO_FORMATS) -> FoundRuns:
    """Return the runs that a file or directory holds; of what is neither log nor capture, none.

    Args:
        path: of a file, or a directory.
        shown_as: its name in messages.
        formats: how logs are read.

    Raises:
        BadInput: there is no such file, it cannot be read, or it holds nothing.
    """
    if path.is_dir():
        return _in_directory(path, shown_as, formats)
    try:
        size = path.stat().st_size
    except OSError as error:
        found = "no such file" if not path.exists() else f"cannot be read ({error.strerror})"
        raise bad_input(path=shown_as, found=found, do="check the name") from None
    if not size:
        expected = "a log, a capture, or a directory of them"
        raise bad_input(path=shown_as, found="an empty file", expected=expected)
    above = str(Path(shown_as).parent)
    found_in_file = FoundRuns()
    given = formats.get(Path(shown_as).name, formats.get(ANY_LOG))
    reading = read_log(path, f"{above}/{path.name}", given)
    if not reading.format:
        other = other_log_in(path)
        is_other_log = other is not None and not is_capture(other)
        is_unreadable = any(each.found.startswith("cannot") for each in reading.problems)
        if given or is_other_log or is_unreadable:
            raise BadInput(*reading.problems)
    found_in_file.add_file(path, above, reading)
    return found_in_file


def _in_directory(path: Path, shown_as: str, formats: Formats) -> FoundRuns:
    found = FoundRuns()
    names = _names(path, shown_as)
    homes = [name.removesuffix(FILE_NAME) for name in names if Path(name).name == FILE_NAME]
    for home in homes:
        bundle, problems = read_bundle(path / home, f"{shown_as}/{home}".rstrip("/"))
        found.problems += problems
        if bundle:
            found.bundles.append(bundle)
    if homes:
        return found
    folders = {name.partition("/")[0] for name in names if "/" in name}
    if _are_repeats(folders) and all("/" in name for name in names):
        for folder in sorted(folders, key=_number):
            own = [name.partition("/")[2] for name in names if name.startswith(f"{folder}/")]
            files = recognised(path / folder, own, f"{shown_as}/{folder}", formats)
            found.add(files, own, folder, f"{shown_as}/{folder}", {})
            found.problems += files.problems
        return found
    files = recognised(path, names, shown_as, formats)
    found.problems += files.problems
    numbers = _numbers_of_repeats(files, names)
    steps = {stem(name): REPEAT.sub("", stem(name)) or ONLY_RUN for name in numbers}
    first = min(numbers.values(), default=1)
    for number in sorted({first, *numbers.values()}):
        # What is not numbered is of the first run.
        own = [name for name in names if numbers.get(name, first) == number]
        found.add(files, own, str(number), shown_as, steps)
    return found


def _names(directory: Path, shown_as: str) -> list[str]:
    """Return the names of the files below a directory, sorted, without hidden ones."""
    names: list[str] = []
    for above, folders, files in os.walk(directory):
        folders[:] = sorted(each for each in folders if not each.startswith("."))
        for file in sorted(files):
            path = Path(above, file)
            if not file.startswith(".") and path.is_file():
                names.append(path.relative_to(directory).as_posix())
        if len(names) > LIMITS.files:
            expected = f"at most {LIMITS.files:,}, of one side of the comparison"
            raise bad_input(path=shown_as, found="more files", expected=expected)
    if not names:
        expected = "logs, captures, or bundles"
        raise bad_input(path=shown_as, found="a directory without files", expected=expected)
    return names


def _numbers_of_repeats(files: Recognised, names: Sequence[str]) -> dict[str, int]:
    """Return which repeat each log is, of those that are numbered from 0 or 1 on.

    Captures that are numbered are several of one run.
    """
    groups: dict[str, list[str]] = defaultdict(list)
    for name in names:
        if files.kind(name) == "benchmark" and (number := REPEAT.search(stem(name))):
            groups[f"{Path(name).parent}/{stem(name)[: number.start()]}"].append(name)
    return {
        name: _number(stem(name))
        for group in groups.values()
        if _are_repeats({stem(name) for name in group})
        for name in group
    }


def _are_repeats(names: set[str]) -> bool:
    """Return whether names end in numbers that count repeats: 1, 2, 3, and no 1, 2, 4, 8."""
    if len(names) < 2 or not all(map(REPEAT.search, names)):
        return False
    numbers = sorted(map(_number, names))
    return numbers[0] in (0, 1) and numbers == list(range(numbers[0], numbers[0] + len(numbers)))


def _number(name: str) -> int:
    found = REPEAT.search(name)
    return int(found[1]) if found else 0
