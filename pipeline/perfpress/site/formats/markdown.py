"""Drilldowns as Markdown tables."""

from collections.abc import Callable, Sequence

from perfpress.analysis.drilldowns.drilldowns import PathWeight
from perfpress.base.console import printable
from perfpress.base.display import number
from perfpress.site.formats.sheet import Sheet, cell_notes
from perfpress.site.formats.text import ABSENT, percent

LITERAL = str.maketrans({char: f"\\{char}" for char in "\\`*_[]<>&|#!"} | {"{": "&#123;"})


def markdown_of(sheets: Sequence[Sheet]) -> str:
    """Return a drilldown's views, one below the other."""
    return "\n".join(_view(sheet) for sheet in sheets)


def _view(sheet: Sheet) -> str:
    written: list[Callable[[PathWeight], str]] = []
    heads: list[str] = []
    for letter in sheet.letters:
        if sheet.numbers != "cost":
            heads.append(letter)
        if sheet.numbers != "share":
            heads.append(f"{letter}, {sheet.costs.text}")
    if sheet.numbers != "cost":
        written.append(percent)
    if sheet.numbers != "share":
        written.append(_cost)
    rows = [
        _texts([row.label, *(each(cell) for cell in row.cells for each in written)])
        for row in sheet.rows
    ]
    lines = [
        *([f"**{escaped(sheet.view)}**", ""] if sheet.view else []),
        _texts([sheet.row_head, *heads]),
        f"| --- |{' ---: |' * len(heads)}",
        *rows,
        "",
        *(
            f"- {escaped(_legend(letter, column.head))}: {_code(column.text)}"
            + (" without the other columns" if column.rest else "")
            for letter, column in zip(sheet.letters, sheet.columns, strict=True)
        ),
        *(f"- {escaped(note)}" for note in cell_notes(sheet)),
    ]
    return "\n".join(lines) + "\n"


def _legend(letter: str, head: str) -> str:
    return letter if letter == head else f"{letter}, {head}"


def _cost(cell: PathWeight) -> str:
    return ABSENT if cell.cost is None else number(cell.cost)


def _texts(cells: Sequence[str]) -> str:
    return line([escaped(cell) for cell in cells])


def line(cells: Sequence[str]) -> str:
    """Return a row of a table, of cells in Markdown."""
    return f"| {' | '.join(cells)} |"


def escaped(text: str) -> str:
    r"""Return text as Markdown shows it literally: \*, \|, \<.

    A brace by its number: to what makes sites of Markdown, Hugo and Jekyll, `{{` and `{%` are
    commands, and a backslash does not part them.
    """
    return printable(text).translate(LITERAL)


def _code(text: str) -> str:
    """Return text as a Markdown code span, fenced by more backticks than it holds in a row."""
    fence = "`"
    while fence in text:
        fence += "`"
    return f"{fence} {printable(text)} {fence}"
