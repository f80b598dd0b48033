"""The shapes of the page that shows all releases of a step side by side."""

import msgspec

from perfpress.site.shapes.blocks import (
    CallTree,
    Chart,
    Drilldown,
    Fact,
    Link,
    Sentence,
    Table,
)
from perfpress.site.shapes.pages import Page


class MatrixRow(msgspec.Struct, frozen=True, kw_only=True):
    """One function."""

    key: str
    """Unique in its table; the row's anchor is `<matrix id>.<key>`."""
    name: str
    cells: tuple[str, ...]
    """One a release; a script links them to the frames of graphs, which only scripts find."""
    largest: float
    """The largest share in any release."""
    change: str
    """From the first release to the last."""
    line: str
    """Points of a line over the releases, in a box of `Matrix.line_box`."""


class Matrix(msgspec.Struct, frozen=True, kw_only=True):
    """The heaviest functions by release; `data` has all of them, in the order of these rows."""

    id: str
    caption: str
    releases: tuple[Link, ...]
    keys: tuple[str, ...]
    """Of the releases: part of the anchors of their cells, `<id>.<row key>.<key>`."""
    line_box: str
    """Of an SVG: `0 0 60 16`."""
    rows: tuple[MatrixRow, ...]
    notes: tuple[str, ...]
    data: str
    """Address of the `MatrixData`."""
    downloads: tuple[Link, ...]
    namespace: str = ""
    """Common to many functions, with its `::`; the head shows it instead of their rows."""


class MatrixPage(Page, frozen=True, kw_only=True):
    """`/reports/<report>/steps/<step>/` and `…/@<variant>/`: all releases of one step."""

    opening: tuple[Sentence, ...]
    """What the newest release changed."""
    summary: tuple[str, ...]
    """Where the level of the series changes."""
    facts: tuple[Fact, ...]
    results: Table | None
    """Against base and previous, median, interval, range, runs, cost; or the top functions of a
    step without rates."""
    levels: Table | None = None
    """Level changes on all metrics, and releases that alone differ."""
    comparison: Chart | None = None
    """The releases' ratios to the base, with all single runs."""
    charts: tuple[Chart, ...] = ()
    """Over time; the newest of many releases."""
    stability: Table | None = None
    percentiles: Chart | None = None
    response_times: tuple[Table, ...] = ()
    functions: tuple[str, ...] = ()
    """What the tables of functions are of, in sentences."""
    function_changes: Table | None = None
    """Since which release functions cost more or less."""
    matrix: Matrix | None = None
    """Where any release has a profile."""
    others: tuple[Table, ...] = ()
    """The same functions by self, and by cost per operation where that is known."""
    quality: Table | None = None
    code: tuple[Table, ...] = ()
    drilldowns: tuple[Drilldown, ...] = ()
    calltrees: tuple[CallTree, ...] = ()
    downloads: tuple[Link, ...] = ()


class MatrixRelease(msgspec.Struct, frozen=True, kw_only=True):
    """One column of the data."""

    label: str
    total: float
    """Weight of the whole profile, in the unit."""
    operations: float | None
    """That the profile covers, where they are known."""
    graph: str
    """Address of its flame graph up to a frame's path; empty where none was drawn."""


class MatrixData(msgspec.Struct, frozen=True, kw_only=True):
    """What the script of the page reads: weights unrounded, in columns.

    `key`, `name`, `class`, `totals` and `selfs` are of the functions; `depth`, `function` and
    `self` of the nodes of the merged call tree in preorder, of which node 0 is the root and
    function -1 the rest of a node's callees. `totals`, `selfs` and `self` hold one list a release.
    """

    unit: str
    factor: float
    """What weights are multiplied by for the unit that costs are shown in."""
    cost_unit: str
    releases: tuple[MatrixRelease, ...]
    key: tuple[str, ...]
    name: tuple[str | None, ...]
    """None where it is the key, as for most."""
    class_: tuple[str, ...] = msgspec.field(name="class")
    totals: tuple[tuple[float, ...], ...]
    selfs: tuple[tuple[float, ...], ...]
    depth: tuple[int, ...]
    function: tuple[int, ...]
    self_: tuple[tuple[float, ...], ...] = msgspec.field(name="self")
