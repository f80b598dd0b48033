"""A page as Markdown, for scripts and for readers of plain text: its sentences and its tables."""

from collections.abc import Callable, Iterable, Iterator
from itertools import groupby

import msgspec

from perfpress.site.formats.markdown import escaped, line
from perfpress.site.shapes.blocks import (
    CallTree,
    Chart,
    Drilldown,
    Fact,
    Graph,
    Link,
    MeasureAgain,
    Notice,
    Phrase,
    Row,
    Table,
)
from perfpress.site.shapes.pages import Page, Suspects

UrlOf = Callable[[str], str]

MOST_ROWS = 40
"""Of a table; the page and its downloads have the others."""


def page_markdown(page: Page, url_of: UrlOf) -> str:
    """Return what a page says below its heading.

    Args:
        page: one of the `…Page` shapes; what it holds is written in the order of its fields.
        url_of: returns the full URL of an address of the site.
    """
    parts = (part for value in _values(page) for part in _parts(value, url_of))
    return "\n\n".join(filter(None, _once(parts))) + "\n"


def _once(parts: Iterable[str]) -> Iterator[str]:
    """Leave out what stands above: a diff has the functions of its graph, and the files of both."""
    written: set[str] = set()
    for part in parts:
        blocks = part.split("\n") if part.startswith("- [") else [part]
        new = [each for each in blocks if each not in written]
        written.update(new)
        yield "\n".join(new)


def _values(shape: msgspec.Struct) -> Iterator[object]:
    return (getattr(shape, name) for name in shape.__struct_fields__)


def _parts(value: object, url_of: UrlOf) -> Iterator[str]:
    """Yield blocks of Markdown; nothing for addresses, counts and what only a script needs."""
    match value:
        case Table():
            yield table_markdown(value, url_of)
        case Chart():
            if value.table:
                yield table_markdown(value.table, url_of)
        case Drilldown():
            yield table_markdown(value.along_path, url_of)
        case CallTree():
            yield table_markdown(value.table, url_of)
        case Graph() | Suspects():
            for each in _values(value):
                yield from _parts(each, url_of)
        case Notice():
            yield f"**{value.kind.title()}:** {_link(value.text, value.url, url_of)}"
        case MeasureAgain():
            text = escaped(value.text.removesuffix("."))
            yield f"Measure again: {_link(value.label, value.url, url_of)}, {text}:"
            yield f"    {value.command}"
        case tuple():
            lines = [_item(each, url_of) for each in value if isinstance(each, Fact | Link)]
            words = [escaped(each) for each in value if isinstance(each, str)]
            phrases = [each for each in value if isinstance(each, Phrase)]
            yield "\n".join(lines)
            yield " ".join(words)
            yield "".join(_link(each.text, each.url, url_of) for each in phrases)
            for each in value:
                yield from _parts(each, url_of)


def _item(item: Fact | Link, url_of: UrlOf) -> str:
    note = f" ({escaped(item.note)})" if item.note else ""
    if isinstance(item, Link):
        return f"- {_link(item.label, item.url, url_of)}{note}"
    return f"- {escaped(item.label)}: {_link(item.value, item.url, url_of)}{note}"


def table_markdown(table: Table, url_of: UrlOf = str) -> str:
    """Return a table with its caption, and nothing of one without rows; links need `url_of`."""
    if not table.rows:
        return ""
    heads = [f"{each.label} ({each.unit})" if each.unit else each.label for each in table.columns]
    sides = ["---:" if each.numeric else "---" for each in table.columns]
    left_out = len(table.rows) - MOST_ROWS
    lines = [
        f"**{escaped(table.caption)}**",
        "",
        *([escaped(" ".join(table.once)), ""] if table.once else []),
        line([escaped(head) for head in (table.row_head, *heads)]),
        f"| {' | '.join(['---', *sides])} |",
        *_rows(table.rows[:MOST_ROWS], len(heads), url_of),
        *(_row(row, url_of) for row in table.foot),
        *(["", f"{left_out:,} more rows are not shown here."] if left_out > 0 else []),
        *(["", *(f"- {escaped(note)}" for note in table.notes)] if table.notes else []),
    ]
    return "\n".join(lines)


def _rows(rows: Iterable[Row], columns: int, url_of: UrlOf) -> Iterator[str]:
    """Yield the rows, each group below a row with its heading."""
    for group, own in groupby(rows, key=lambda row: (row.group, row.group_url)):
        if group[0]:
            yield line([f"**{_link(*group, url_of)}**", *[""] * columns])
        yield from (_row(row, url_of) for row in own)


def _row(row: Row, url_of: UrlOf) -> str:
    cells = (escaped(f"{each.mark} {each.text}".lstrip()) for each in row.cells)
    return line([_link(row.label, row.url, url_of), *cells])


def _link(text: str, url: str, url_of: UrlOf) -> str:
    """Return a link, or its text where it leads nowhere, or into a graph, which only pages show."""
    if not url or url.startswith("#"):
        return escaped(text)
    return f"[{escaped(text)}](<{url_of(url)}>)"
