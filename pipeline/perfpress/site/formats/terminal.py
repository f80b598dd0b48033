"""The answer of `perfpress compare` for a terminal of any width, with or without colours."""

import re
import textwrap
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from msgspec.structs import replace

from perfpress.analysis.comparison.labels import without_common_ends
from perfpress.analysis.verdicts.states import Tone
from perfpress.base.console import line_of
from perfpress.base.display import PERCENT, fitted_function, shortened_middle
from perfpress.site.shapes.blocks import Cell, ColumnHead, Row, Table
from perfpress.site.shapes.comparison import ComparisonPage

NARROWEST, WIDEST = 40, 200
WIDEST_TEXT = 100
"""Columns of sentences: longer lines are hard to read."""

IMPORTANCE = ("verdict", "net", "ratio", "after", "base", "unit", "interval", "noise", "p95", "p")
"""The columns that a terminal shows, those that stay longest first."""

LONGEST_HEAD, LONGEST_NARROW_HEAD = 14, 9
"""Characters of a column's head: it may be a file's name."""
LONGEST_UNIT = 16

LEAST_LABEL = 18
LEAST_OF_WIDTH = 0.4
"""What names of rows keep before a column of numbers goes."""

NARROW = 80
"""Columns of a screen on which verdicts leave out how large a change may be unseen."""
LIMIT = re.compile(r" \(within .*\)$")

GAP = 2
ELLIPSIS = "…"

SENTENCES = 12
"""Lines around tables."""

FEWEST_ROWS = 3
"""Of a group, however low the terminal is."""

COLOURS: dict[Tone, str] = {"worse": "31", "better": "32", "unknown": "33", "same": "", "": ""}
BOLD, FAINT = "1", "2"


@dataclass(frozen=True)
class Screen:
    """Where the answer is shown."""

    width: int
    height: int | None = None
    """None where nothing scrolls away: a file, a pipe."""
    is_coloured: bool = False

    def paint(self, text: str, code: str) -> str:
        """Return a text in a colour or weight, where the terminal has them."""
        return f"\x1b[{code}m{text}\x1b[0m" if self.is_coloured and code and text else text


def terminal_text(page: ComparisonPage, screen: Screen) -> str:
    """Return the answer as lines: the first is the answer itself."""
    return "".join(f"{line.rstrip()}\n" for line in _lines(page, screen))


def _lines(page: ComparisonPage, screen: Screen) -> Iterator[str]:
    mark = f"{page.answer.mark} " if page.answer.mark else ""
    code = COLOURS[page.answer.tone]
    for line in _wrapped(f"{mark}{page.answer.text}", screen):
        yield screen.paint(line, f"{BOLD};{code}" if code else BOLD)
    tables = [table for table in (page.rates, *(each.table for each in page.changes)) if table]
    rows = _rows_of_each(tables, screen)
    if page.rates:
        yield ""
        yield from _table(page.rates, screen, rows)
    if page.sentences:
        yield ""
        yield from _wrapped(" ".join(page.sentences), screen)
    for each in page.changes:
        yield ""
        if each.heading:
            yield screen.paint(_line(each.heading), BOLD)
        yield from _wrapped(" ".join(each.sentences), screen)
        if each.table:
            yield ""
            yield from _table(each.table, screen, rows)
        if len(page.changes) == 1:
            yield ""
            for line in _wrapped(" ".join(each.notes), screen):
                yield screen.paint(line, FAINT)
    for note in page.notes:
        yield ""
        yield from _wrapped(note, screen)


def _wrapped(text: str, screen: Screen) -> list[str]:
    """Return a text in lines; a number and its percent sign stay in one."""
    lines = textwrap.wrap(
        text.replace(" %", PERCENT), min(screen.width, WIDEST_TEXT), break_on_hyphens=False
    )
    return list(map(_line, lines))


def _line(text: str) -> str:
    return line_of(text.replace("\N{NO-BREAK SPACE}", " "))


def _rows_of_each(tables: Sequence[Table], screen: Screen) -> int | None:
    """Return how many rows of a group fit the screen; None where all are shown."""
    if screen.height is None:
        return None
    groups = [len({row.group for row in table.rows}) for table in tables]
    others = SENTENCES + sum(groups) + sum(4 + len(table.foot) for table in tables)
    return max(FEWEST_ROWS, (screen.height - others) // max(1, sum(groups)))


@dataclass
class _Column:
    """One column of a table with its texts."""

    head: ColumnHead
    cells: list[Cell]
    label: str
    unit: str

    @property
    def width(self) -> int:
        texts = (self.label, self.unit, *(_text(cell) for cell in self.cells))
        return max(map(columns_of, texts), default=0)


def _table(table: Table, screen: Screen, most_rows: int | None) -> Iterator[str]:
    rows, left_out = _first_rows(table, most_rows)
    shared = table.shared_unit
    longest = LONGEST_HEAD if screen.width >= NARROW else LONGEST_NARROW_HEAD
    columns = [
        _Column(
            head,
            [_brief(row.cells[at], screen) for row in (*rows, *table.foot)],
            shortened_middle(_line(head.label), longest),
            "" if head.unit == shared else shortened_middle(_line(head.unit), LONGEST_UNIT),
        )
        for at, head in enumerate(table.columns)
        if head.key in IMPORTANCE and any(row.cells[at].text for row in rows)
    ]
    labels = [_line(row.label) for row in (*rows, *table.foot)]
    if not table.foot:
        labels = _with_marked_ends(labels, screen)
        rows = [replace(row, label=label) for row, label in zip(rows, labels, strict=True)]
    wanted = max((columns_of(each) for each in (table.row_head, *labels)), default=0)
    least = max(LEAST_LABEL, int(LEAST_OF_WIDTH * screen.width))
    kept = _fitting(columns, min(wanted, least), screen.width)
    room = screen.width - sum(each.width + GAP for each in kept)
    room = max(4, min(room, wanted))
    room = max(columns_of(fitted_function(each, room)) for each in (table.row_head, *labels))
    if shared:
        yield from _wrapped(f"{table.caption} ({shared})", screen)
    yield screen.paint(_row(table.row_head, [each.label for each in kept], kept, room), FAINT)
    if any(each.unit for each in kept):
        yield screen.paint(_row("", [each.unit for each in kept], kept, room), FAINT)
    for group, own in groupby(enumerate(rows), key=lambda each: each[1].group):
        if group:
            yield screen.paint(_line(group), BOLD)
        for at, row in own:
            yield _row(row.label, [each.cells[at] for each in kept], kept, room, screen)
        if left_out.get(group):
            yield screen.paint(f"… {left_out[group]}", FAINT)
    if table.foot:
        yield screen.paint("─" * (room + sum(each.width + GAP for each in kept)), FAINT)
    for at, row in enumerate(table.foot, start=len(rows)):
        yield _row(row.label, [each.cells[at] for each in kept], kept, room, screen)
    for note in table.notes:
        for line in _wrapped(note, screen):
            yield screen.paint(line, FAINT)


def _with_marked_ends(labels: Sequence[str], screen: Screen) -> list[str]:
    """Return names that are too long for the screen with … in place of what all begin and end with.

    `…range=100` and `…scan` of `sysbench/read-only/range=100` and `sysbench/read-only/scan`.
    """
    longest = max(map(columns_of, labels), default=0)
    if len(labels) < 2 or longest <= max(LEAST_LABEL, int(LEAST_OF_WIDTH * screen.width)):
        return [*labels]
    marked = []
    for label, own in zip(labels, without_common_ends(labels), strict=True):
        before, _, after = label.partition(own) if own else ("", "", "")
        marked.append(f"{before and ELLIPSIS}{own}{after and ELLIPSIS}" if own else label)
    return marked


def _brief(cell: Cell, screen: Screen) -> Cell:
    return cell if screen.width >= NARROW else replace(cell, text=LIMIT.sub("", cell.text))


def _first_rows(table: Table, most: int | None) -> tuple[list[Row], dict[str, str]]:
    """Return the rows that are shown, and by group how many more there are."""
    shown: list[Row] = []
    left_out: dict[str, str] = {}
    for group, own in groupby(table.rows, key=lambda row: row.group):
        of_group = list(own)
        # One more line would say that one more is left out.
        count = len(of_group) if most is None or len(of_group) <= most + 1 else most
        shown += of_group[:count]
        if more := len(of_group) - count:
            left_out[group] = f"{more} more: all of them with | cat, --markdown or --html"
    return shown, left_out


def _fitting(columns: Sequence[_Column], least_label: int, width: int) -> list[_Column]:
    """Return the columns that have room beside the names of rows, the most important ones."""
    kept = list(columns)
    while len(kept) > 1 and least_label + sum(each.width + GAP for each in kept) > width:
        kept.remove(max(kept, key=lambda each: IMPORTANCE.index(each.head.key)))
    return kept


def _row(
    label: str,
    cells: Sequence[Cell | str],
    columns: Sequence[_Column],
    room: int,
    screen: Screen | None = None,
) -> str:
    parts = [_padded(fitted_function(_line(label), room), room, is_right=False)]
    for cell, column in zip(cells, columns, strict=True):
        text = cell if isinstance(cell, str) else _text(cell)
        padded = _padded(text, column.width, is_right=column.head.numeric)
        if screen and isinstance(cell, Cell):
            padded = screen.paint(padded, COLOURS[cell.tone])
        parts.append(padded)
    return (" " * GAP).join(parts)


def _text(cell: Cell) -> str:
    return _line(f"{cell.mark} {cell.text}" if cell.mark else cell.text)


def _padded(text: str, width: int, *, is_right: bool) -> str:
    spaces = " " * max(0, width - columns_of(text))
    return spaces + text if is_right else text + spaces


def columns_of(text: str) -> int:
    """Return how many columns of a terminal a text takes."""
    if text.isascii():
        return len(text)
    return sum(map(_columns_of_char, text))


def _columns_of_char(char: str) -> int:
    if unicodedata.combining(char):
        return 0
    return 2 if unicodedata.east_asian_width(char) in "WF" else 1
