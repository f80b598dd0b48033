"""What the readers of JSON results have in common: typed results, and complaints of bad ones."""

from collections.abc import Iterable, Iterator
from typing import Any, TypeVar

import msgspec

from pipeline.logs.json_list import LARGEST, JsonList, json_list
from pipeline.logs.parser import Notes, excerpt
from pipeline.problems import Problem

Result = TypeVar("Result")


def typed_results(
    notes: Notes, lines: Iterable[str], key: str, result: type[Result]
) -> tuple[Iterator[tuple[int, Result, Any]], JsonList]:
    """Return the results of a JSON log and, once they are read, what else it holds.

    With each result come its line and what it was converted from.

    Those of another shape are told as problems and left out; so is where the log breaks off.

    Args:
        notes: of the log.
        lines: all of it.
        key: of the list of results.
        result: the shape of one.
    """
    read = json_list(lines, key)
    return _typed(notes, read, key, result), read


def _typed(
    notes: Notes, read: JsonList, key: str, result: type[Result]
) -> Iterator[tuple[int, Result, Any]]:
    for line, item in read.items():
        try:
            yield line, msgspec.convert(item, result), item
        except (msgspec.ValidationError, OverflowError) as error:
            found = f"a result of {key!r} that cannot be read: {excerpt(str(error))}"
            _complain(notes, line, found, f"what {notes.format} writes")
    if read.broken:
        notes.partial = not read.count
        found = f"{read.broken}; of the results before it, {read.count} are read"
        expected = f"whole JSON with a list {key!r}, of at most {LARGEST >> 20} MiB"
        _complain(notes, read.broken_line, found, expected)


def _complain(notes: Notes, line: int, found: str, expected: str) -> None:
    do = "copy the log again from where it was written, or run the step again"
    notes.complain(Problem(path=notes.file, line=line, found=found, expected=expected, do=do))


def complain_of_second(notes: Notes, name: str, line: int) -> None:
    """Tell that a log has two results of one name, of which the first counts."""
    notes.complain(
        Problem(
            path=notes.file,
            line=line,
            found=f"a second result of {excerpt(name)!r}; the first one is read",
            expected="one result of each name",
            do="keep the output of each run in a file of its own",
        )
    )


def complain_of_failure(notes: Notes, what: str, line: int) -> None:
    """Tell that a benchmark failed: its numbers, if any, do not count."""
    notes.complain(
        Problem(
            path=notes.file,
            line=line,
            found=excerpt(what),
            expected="a benchmark without errors",
            do="mend the cause and run the step again; the other benchmarks count",
        )
    )
