"""Reads the tables that authors computed from their results: a release a column, or one a row.

    qps.abs.<tag>.tsv   queries per second       qps.rel.<tag>.tsv   the same, over those of a base
    o.met.<tag>         CPU, IO and context switches per operation, a block for each test

All are made by the sysbench scripts of github.com/mdcallag/mytools. Columns were pasted side by
side: where a line lacks one number, all below it may have slipped, and no number is taken.
"""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path, PurePosixPath

from perfpress.host.importing.left_out import LeftOut
from perfpress.input.bundles.safety import unfit_name
from perfpress.input.logs.rate_table import COLUMNS
from perfpress.input.logs.text_lines import TextLines

LARGEST = 4_000_000
"""Bytes; thousands of tests of a hundred releases have fewer."""

LEGEND = re.compile(r"(col-\d+) : (\S+)\s*")
BASE = re.compile(r"Relative to: (\S+)\s*")
# hot-points_range=100
TEST = re.compile(r"(?P<test>[\w.-]+)_range=(?P<range>\d+)", re.ASCII)
# sb.met.hot-points.range100.pk1.dop40
BLOCK = re.compile(
    r"sb\.met\.(?P<test>[\w.-]+?)\.range(?P<range>\d+)\.pk\d\.dop(?P<clients>[1-9]\d{0,5})",
    re.ASCII,
)
BEGINS = re.compile(rf"{LEGEND.pattern}\n|{BASE.pattern}\n|sb\.(?:prepare\.)?met\.")
ABSOLUTE = "--- absolute"
RELATIVE = "--- relative to first result"
NUMBER = re.compile(r"\d+(?:\.\d+)?", re.ASCII)

QUERIES = "queries_per_second"
BLOCK_COLUMNS = {**COLUMNS, "o/s": (QUERIES, 1.0)}
"""An operation of these scripts is a query, but for scans."""
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

    @property
    def place(self) -> str:
        """The file and line."""
        return f"{self.file}:{self.line}"

    @property
    def is_ratio(self) -> bool:
        """Whether it says how a throughput compares with another."""
        return self.metric.startswith(RATIO_OF)

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


def text_of(path: Path, begins: re.Pattern[str]) -> str | None:
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


def read_table(path: Path, file: str) -> ResultTable | None:
    """Return what a table of the sysbench scripts holds; `None` where a file is no such table."""
    left_out: list[LeftOut] = []
    try:
        text = text_of(path, BEGINS)
        if text is None:
            return None
        read = _blocks if text.lstrip("\n").startswith("sb.") else _columns
        numbers = tuple(read(path, file, text.split("\n"), left_out))
    except NoTable as problem:
        return ResultTable(left_out=(LeftOut(file, str(problem)),))
    return ResultTable(numbers, tuple(left_out))


def _columns(
    path: Path, file: str, lines: Sequence[str], left_out: list[LeftOut]
) -> Iterator[Number]:
    """Yield the numbers of a table with a legend: a directory a column, a test a line."""
    legend: dict[str, str] = {}
    base, base_line = "", 0
    columns: list[str] = []
    rows: list[tuple[int, list[str]]] = []
    for number, line in enumerate(lines, start=1):
        cells = line.split()
        if of_base := BASE.fullmatch(line):
            base, base_line = of_base[1].rstrip("/"), number
            if unfit := _unfit(base):
                raise NoTable(f"relative to a directory with {unfit}")
        elif of_column := LEGEND.fullmatch(line):
            if legend.setdefault(of_column[1], of_column[2]) != of_column[2]:
                raise NoTable(f"{of_column[1]} is two directories")
        elif cells[:1] == ["."]:
            raise NoTable("averages over groups of tests")
        elif cells and all(cell.startswith("col-") for cell in cells):
            columns = cells
        elif any(map(NUMBER.fullmatch, cells)) or TEST.fullmatch(line.strip()):
            rows.append((number, cells))
    if columns != list(legend) or not columns:
        raise NoTable(f"{len(columns)} columns below a legend of {len(legend)}")
    named = Counter(cells[-1] for _, cells in rows)
    metric = f"{RATIO_OF}{base}" if base else QUERIES
    for number, cells in rows:
        if len(cells) != len(columns) + 1:
            found = f"line {number} has {len(cells) - 1} numbers for {len(columns)} columns"
            raise NoTable(f"{found}: those below may have slipped")
        test = TEST.fullmatch(cells[-1])
        if test is None or named[cells[-1]] > 1:
            reason = "no name of a test" if test is None else "a test that has two lines"
            left_out.append(LeftOut(f"{file}:{number}", reason))
            continue
        values: Mapping[str, str] = test.groupdict()
        if base:
            yield Number(path, file, base_line, base, beside(file, base), values, metric, 1.0)
        for column, cell in zip(columns, cells, strict=False):
            place = Number(path, file, number, legend[column], "", values, metric, 0.0)
            yield from _number(place, cell, left_out)


def _blocks(
    path: Path, file: str, lines: Sequence[str], left_out: list[LeftOut]
) -> Iterator[Number]:
    """Yield the numbers of a table with a block for each test, a line in it for each directory."""
    values: Mapping[str, str] | None = None
    columns: list[str] = []
    for number, line in enumerate(lines, start=1):
        cells = line.split()
        if line.startswith("sb."):
            found = BLOCK.fullmatch(line.strip())
            values, columns = (found.groupdict() if found else None), []
            if not found:
                left_out.append(LeftOut(f"{file}:{number}", "of loading, which is no test"))
        elif line.startswith(RELATIVE) or not cells:
            columns = []
        elif cells[-1] == "dbms":
            columns = cells[:-1]
        elif columns and values is not None and not line.startswith(ABSOLUTE):
            if len(cells) != len(columns) + 1:
                reason = "a line with another number of cells than the heading"
                left_out.append(LeftOut(f"{file}:{number}", reason))
                continue
            named = dict(zip(columns, cells, strict=False))
            if named.get("o/s", "") in ("0", "0.00"):
                left_out.append(LeftOut(f"{file}:{number}", FAILED))
                continue
            for column, cell in named.items():
                metric, factor = BLOCK_COLUMNS.get(column.lower(), ("", 0.0))
                if factor == 1.0:
                    place = Number(path, file, number, cells[-1], "", values, metric, 0.0)
                    yield from _number(place, cell, left_out)
                else:
                    left_out.append(LeftOut(f"{file}:{number}", f"{column}, of no known meaning"))


def _number(place: Number, cell: str, left_out: list[LeftOut]) -> Iterator[Number]:
    """Yield the number of a cell, if it is one."""
    found = NUMBER.fullmatch(cell)
    column = place.column.rstrip("/")
    if unfit := _unfit(column):
        left_out.append(LeftOut(place.place, f"a directory with {unfit}"))
    elif found is None:
        left_out.append(LeftOut(place.place, "no number"))
    elif float(cell) == 0 and (place.metric == QUERIES or place.is_ratio):
        left_out.append(LeftOut(place.place, FAILED))
    else:
        directory = beside(place.file, column)
        value, slack = float(cell), rounding(cell)
        yield replace(place, column=column, directory=directory, value=value, slack=slack)


def beside(file: str, name: str) -> str:
    """Return the path of what lies where a file does."""
    return str(PurePosixPath(file).parent / name)


def rounding(cell: str) -> float:
    """Return by how much the number in a cell may be off: half of its last decimal."""
    return 0.51 * 10.0 ** -len(cell.partition(".")[2])


def _unfit(directory: str) -> str:
    parts = directory.split("/")
    if "" in parts or ".." in parts:
        return "a path that leads elsewhere"
    if len(directory) > LONGEST_DIRECTORY:
        return f"a path of {len(directory)} characters"
    return next((unfit for part in parts if (unfit := unfit_name(part))), "")
