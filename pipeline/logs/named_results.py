"""What the readers of JSON results have in common: typed results, and complaints of bad ones."""

from collections.abc import Iterable, Iterator
from typing import TypeVar

import msgspec

from pipeline.logs.json_list import JsonList, read_json_list
from pipeline.logs.parser import Notes, excerpt
from pipeline.problems import Problem

Result = TypeVar("Result")

AGAIN = "copy the log again from where it was written, or run the step again"


def typed_results(
    notes: Notes, lines: Iterable[str], key: str, result: type[Result]
) -> tuple[Iterator[tuple[int, Result]], JsonList]:
    """Return the results of a JSON log with their lines, and what else it holds.

    Those of another shape are told as problems and left out; so is where the log breaks off.

    Args:
        notes: of the log.
        lines: all of it.
        key: of the list of results.
        result: the shape of one.
    """
    read = read_json_list(lines, key)
    if read.broken:
        notes.partial = not read.items
        notes.complain(
            Problem(
                path=notes.file,
                line=read.broken_line,
                found=f"{read.broken}; of the results before it, {len(read.items)} are read",
                expected=f"whole JSON with a list {key!r}, of at most 64 MiB",
                do=AGAIN,
            )
        )
    return _typed(notes, read, key, result), read


def _typed(
    notes: Notes, read: JsonList, key: str, result: type[Result]
) -> Iterator[tuple[int, Result]]:
    for line, item in read.items:
        try:
            yield line, msgspec.convert(item, result)
        except (msgspec.ValidationError, OverflowError) as error:
            notes.complain(
                Problem(
                    path=notes.file,
                    line=line,
                    found=f"a result of {key!r} that cannot be read: {excerpt(str(error))}",
                    expected=f"what {notes.format} writes",
                    do=AGAIN,
                )
            )


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
