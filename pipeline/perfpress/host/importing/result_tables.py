"""What the tables of an archive hold that its authors computed, and how one is read.

A table names no file of its own: what it says is of a directory of results, by a tag or a path.
"""

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath

from perfpress.host.importing.left_out import LeftOut
from perfpress.input.logs.text_lines import TextLines

LARGEST = 4_000_000
"""Bytes; thousands of tests of a hundred releases have fewer."""

NUMBER = re.compile(r"\d+(?:\.\d+)?", re.ASCII)

QUERIES = "queries_per_second"
RATIO_OF = "throughput relative to "

FAILED = "0, as of a run that failed"
LONGEST_DIRECTORY = 150
"""Characters: names of metrics may hold it."""


@dataclass(frozen=True)
class Number:
    """One number of a table."""

    path: Path
    """The table."""
    file: str
    """The table, as messages name it."""
    line: int
    column: str
    """What the table calls the run: its column, or its row."""
    directory: str
    """The directory of results that this may be, from the top of the archive."""
    values: Mapping[str, str] = field(hash=False)
    """What placeholders of the map's `step` are, and perhaps `clients`."""
    metric: str
    value: float
    slack: float = 0.0
    """By how much rounding may have changed it."""
    measured: str = ""
    """The line, where it has a date: another table with the same line has the same measurement."""

    @property
    def place(self) -> str:
        """The file and line."""
        return f"{self.file}:{self.line}"

    @property
    def cell(self) -> tuple[object, ...]:
        """The test and metric that it is of."""
        return (*sorted(self.values.items()), self.metric)

    def contradicts(self, other: "Number") -> bool:
        """Return whether rounding does not explain the difference to another number of the cell."""
        return abs(self.value - other.value) > self.slack + other.slack

    @property
    def is_ratio(self) -> bool:
        """Whether it says how a throughput compares with another."""
        return self.metric.startswith(RATIO_OF)

    @property
    def is_base(self) -> bool:
        """Whether it is the ratio of the base to itself."""
        return self.metric == f"{RATIO_OF}{self.column}"

    @property
    def is_of_scans(self) -> bool:
        """Whether the table does not say its unit: queries, or thousands of rows, a second."""
        return self.metric == QUERIES and "scan" in self.values["test"]


@dataclass(frozen=True)
class ResultTable:
    """What a table holds."""

    numbers: tuple[Number, ...] = ()
    left_out: tuple[LeftOut, ...] = ()


class NoTable(Exception):
    """Nothing of a table can be taken; the message says why."""


@dataclass(frozen=True)
class TableText:
    """The text of a table while it is read."""

    path: Path
    file: str
    """As messages name it."""
    lines: list[str]
    left_out: list[LeftOut] = field(default_factory=list)

    def leave_out(self, line: int, reason: str) -> None:
        """Note what is not taken."""
        self.left_out.append(LeftOut(f"{self.file}:{line}", reason))

    def beside(self, name: str) -> str:
        """Return the path of what lies where the table does."""
        return str(PurePosixPath(self.file).parent / name)


def read_as_table(
    path: Path, file: str, begins: re.Pattern[str], read: Callable[[TableText], Iterable[Number]]
) -> ResultTable | None:
    """Return what a table holds; `None` where a file is none.

    Args:
        path: of the file.
        file: what messages call it.
        begins: matches the beginning of such a table.
        read: returns its numbers, and notes what it leaves out; it may raise NoTable.
    """
    try:
        text = _text_of(path, begins)
        if text is None:
            return None
        table = TableText(path, file, text.split("\n"))
        numbers = tuple(read(table))
    except NoTable as problem:
        return ResultTable(left_out=(LeftOut(file, str(problem)),))
    return ResultTable(numbers, tuple(table.left_out))


def _text_of(path: Path, begins: re.Pattern[str]) -> str | None:
    """Return a text of the size of tables; `None` where its first line is none that `begins` one.

    Raises:
        NoTable: it is damaged, or its last line is cut off.
    """
    text = bytearray()
    source = TextLines(path)
    try:
        for block in source.blocks():
            is_first, text = not text, text + block
            if is_first and not begins.match(_decoded(text).lstrip("\n")):
                return None
            if len(text) > LARGEST:
                raise NoTable(f"a table of more than {LARGEST / 1e6:.0f} MB")
    except OSError:
        return None
    if source.broken and begins.match(_decoded(text).lstrip("\n")):
        raise NoTable(source.broken)
    if not text or source.broken:
        return None
    if not text.endswith(b"\n"):
        raise NoTable("its last line has no end: it may be cut off")
    return _decoded(text)


def _decoded(text: bytes | bytearray) -> str:
    return text.decode("utf-8", "replace").removeprefix("\ufeff").replace("\r\n", "\n")


def rounding(cell: str) -> float:
    """Return by how much the number in a cell may be off: half of its last decimal."""
    return 0.51 * 10.0 ** -len(cell.partition(".")[2])
