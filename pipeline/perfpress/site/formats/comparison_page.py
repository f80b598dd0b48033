"""The answer of `perfpress compare` as one page that needs no other file: it can be mailed.

Diffs are the SVGs that can be downloaded from a site, each in a frame with a script of its own. The
page allows these scripts and styles alone, by their hashes, and nothing from anywhere else.
"""

import base64
import hashlib
from collections.abc import Iterable, Iterator, Sequence
from html import escape
from itertools import groupby
from pathlib import Path
from xml.etree import ElementTree

from perfpress.base.console import printable
from perfpress.site.shapes.blocks import Cell, ColumnHead, Row, Table
from perfpress.site.shapes.comparison import ComparisonPage

STYLE = Path(__file__).with_name("comparison_page.css")
SVG = "{http://www.w3.org/2000/svg}"


def comparison_html(page: ComparisonPage) -> str:
    """Return the page."""
    style = STYLE.read_text(encoding="utf-8")
    drawings = (Path(each.drawing) if each.drawing else None for each in page.changes)
    svgs = [path.read_text(encoding="utf-8") if path else "" for path in drawings]
    inside = "\n".join(_body(page, svgs))
    return f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{escape(_policy(style, svgs))}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{_text(page.title)}</title>
<style>{style}</style>
</head>
<body>
{inside}
</body>
</html>
"""


def _policy(style: str, svgs: Iterable[str]) -> str:
    """Return what the page and its frames, which inherit it, may do."""
    styles, scripts = [style], []
    for svg in filter(None, svgs):
        root = ElementTree.fromstring(svg)
        styles += [each.text or "" for each in root.iter(f"{SVG}style")]
        scripts += [each.text or "" for each in root.iter(f"{SVG}script") if not each.get("type")]
    parts = ["default-src 'none'", f"style-src {_hashes(styles)}", "base-uri 'none'"]
    if scripts:
        parts += [f"script-src {_hashes(scripts)}", "frame-src data:"]
    return "; ".join([*parts, "form-action 'none'"])


def _hashes(texts: Iterable[str]) -> str:
    digests = (hashlib.sha256(text.encode()).digest() for text in texts)
    return " ".join(f"'sha256-{base64.b64encode(digest).decode()}'" for digest in digests)


def _body(page: ComparisonPage, svgs: Sequence[str]) -> Iterator[str]:
    answer = page.answer
    mark = f'<span class="{answer.tone}">{_text(answer.mark)}</span> ' if answer.mark else ""
    yield f"<h1>{mark}{_text(answer.text)}</h1>"
    if page.rates:
        yield _table(page.rates)
    yield from _paragraph(page.sentences)
    for changes, svg in zip(page.changes, svgs, strict=True):
        yield f"<h2>{_text(changes.heading or 'Where it changed')}</h2>"
        yield from _paragraph(changes.sentences)
        if svg:
            data = base64.b64encode(svg.encode()).decode()
            title = _text(f"Diff: {page.title} {changes.heading}".strip())
            source = f"data:image/svg+xml;base64,{data}"
            yield f'<iframe title="{title}" sandbox="allow-scripts" src="{source}"></iframe>'
        if changes.table:
            yield _table(changes.table)
        yield from _paragraph(changes.notes, "small")
    for note in page.notes:
        yield from _paragraph([note])
    yield '<p class="small">Compared with Perfpress. This page is complete: it loads nothing.</p>'


def _paragraph(sentences: Sequence[str], kind: str = "") -> Iterator[str]:
    if sentences:
        attribute = f' class="{kind}"' if kind else ""
        yield f"<p{attribute}>{_text(' '.join(sentences))}</p>"


def _table(table: Table) -> str:
    unit = table.shared_unit
    heads = "".join(_head(each, "" if each.unit == unit else each.unit) for each in table.columns)
    caption = f"{table.caption} ({unit})" if unit else table.caption
    numeric = [each.numeric for each in table.columns]
    rows: list[str] = []
    for group, own in groupby(table.rows, key=lambda row: row.group):
        if group:
            rows.append(f'<tr><th colspan="{len(numeric) + 1}">{_text(group)}</th></tr>')
        rows += [_row(row, numeric) for row in own]
    foot = "".join(_row(row, numeric) for row in table.foot)
    notes = "".join(f'<p class="small">{_text(note)}</p>' for note in table.notes)
    return (
        f'<div class="wide"><table><caption>{_text(caption)}</caption>'
        f'<thead><tr><th scope="col">{_text(table.row_head)}</th>{heads}</tr></thead>'
        f"<tbody>{''.join(rows)}</tbody>{f'<tfoot>{foot}</tfoot>' if foot else ''}"
        f"</table></div>{notes}"
    )


def _head(head: ColumnHead, unit: str) -> str:
    behind = f' <span class="small">{_text(unit)}</span>' if unit else ""
    return f'<th scope="col"{_side(head.numeric)}>{_text(head.label)}{behind}</th>'


def _row(row: Row, numeric: Sequence[bool]) -> str:
    cells = "".join(map(_cell, row.cells, numeric))
    return f'<tr><th scope="row">{_text(row.label)}</th>{cells}</tr>'


def _cell(cell: Cell, is_number: bool) -> str:
    text = _text(f"{cell.mark} {cell.text}".lstrip())
    if cell.tone:
        text = f'<span class="{cell.tone}">{text}</span>'
    return f"<td{_side(is_number)}>{text}</td>"


def _side(is_number: bool) -> str:
    return ' class="n"' if is_number else ""


def _text(text: str) -> str:
    return escape(printable(text))
