"""The answer of `perfpress compare` as Markdown, for a comment on a pull request."""

from collections.abc import Iterator

from msgspec.structs import replace

from perfpress.site.formats.markdown import escaped
from perfpress.site.formats.page_markdown import table_markdown
from perfpress.site.shapes.blocks import Table
from perfpress.site.shapes.comparison import ComparisonPage, ProfileChanges

MOST_IN_SIGHT = 12
"""Rows of a table of steps that a reader sees without a click: what changed most comes first."""


def comparison_markdown(page: ComparisonPage) -> str:
    """Return the answer first, then what it rests on; long tables are folded away."""
    return "\n\n".join(_parts(page)) + "\n"


def _parts(page: ComparisonPage) -> Iterator[str]:
    yield f"**{escaped(f'{page.answer.mark} {page.answer.text}'.lstrip())}**"
    if page.rates:
        yield from _steps(page.rates)
    if page.sentences:
        yield escaped(" ".join(page.sentences))
    for each in page.changes:
        yield from _changes(each)
    for note in page.notes:
        yield escaped(note)


def _steps(table: Table) -> Iterator[str]:
    first, others = table.rows[:MOST_IN_SIGHT], table.rows[MOST_IN_SIGHT:]
    yield table_markdown(replace(table, rows=first))
    if others:
        yield from _folded(f"{len(others)} more", table_markdown(replace(table, rows=others)))


def _changes(changes: ProfileChanges) -> Iterator[str]:
    if changes.heading:
        yield f"### {escaped(changes.heading)}"
    yield escaped(" ".join(changes.sentences))
    if changes.table:
        yield from _folded(changes.table.caption, table_markdown(changes.table))
    yield from _folded("What the profiles are of", escaped(" ".join(changes.notes)))


def _folded(summary: str, text: str) -> Iterator[str]:
    yield f"<details><summary>{escaped(summary)}</summary>"
    yield text
    yield "</details>"
