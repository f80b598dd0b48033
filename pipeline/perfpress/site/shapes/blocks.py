"""The shapes of the parts of pages: tables, charts, graphs, links and sentences.

They make up the files under `data/site/`, which Hugo's templates read. Every number a template
prints arrives here as text that is ready to show (Hugo reads JSON numbers as 64-bit floats), except
`sort`, which is only compared. Keys are lower_snake_case because Hugo lowers the case of keys it is
given. The templates compute nothing and judge nothing.

| file | shape |
|---|---|
| `data/site/data/site.json` | `Site` of `site` |
| `data/site/assets/perfpress/<page path>/_page.json` | a `…Page`, by `kind` |
"""

from typing import Literal

import msgspec

from perfpress.analysis.verdicts.states import Tone


class Link(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A link; `url` is a site path without the base path (`/reports/…/`), or an absolute URL."""

    label: str
    url: str
    note: str = ""
    """Text after the link: the size of a download, the orientation of a diff."""
    download: str = ""
    """The file name that a download is saved under; it describes the content."""


class Phrase(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A part of a sentence, with its spaces and stops; some lead to a page."""

    text: str
    url: str = ""
    is_function: bool = False
    """Whether it is the name of one."""


Sentence = tuple[Phrase, ...]


class ColumnHead(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The head of a table's column."""

    key: str
    """Unique in its table; part of the anchors of its cells."""
    label: str
    unit: str = ""
    meaning: str = ""
    """One sentence for the table's legend."""
    numeric: bool = True
    stays: bool = False
    """Whether it is shown where all rows say the same: as readers look for it, or as the table is a
    part of a larger one whose rows differ."""


class Cell(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One cell of a table."""

    text: str
    tone: Tone = ""
    """Shown by colour and, for better and worse, by `mark` as well."""
    tint: str = ""
    """Of a grid: the `name` of the `Tint` behind its number."""
    mark: str = ""
    """A sign next to the text."""
    spoken: str = ""
    """The meaning of tone and mark for screen readers; empty if the text already has it."""
    note: str = ""
    """Why the cell is absent, what matched, which line it came from: shown on request."""
    url: str = ""
    links: tuple[Link, ...] = ()
    """Other places that show the same, below the note."""
    sort: float | None = None
    """What the column is sorted by; `None` sorts last."""


def _none() -> tuple[()]:
    """Return the default of what templates count, and JSON therefore has even where it is empty."""
    return ()


class Row(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One row: a head and one cell for every column."""

    key: str
    """Unique in its table; the row's anchor is `<table id>.<key>`."""
    label: str
    cells: tuple[Cell, ...] = msgspec.field(default_factory=_none)
    url: str = ""
    note: str = ""
    current: bool = False
    """The row of the release whose page this is."""
    unit: str = ""
    """Of the row's numbers, where rows differ in it."""
    group: str = ""
    """The heading of a group of rows."""
    group_url: str = ""
    """The page of what the group is of."""
    depth: int = 0
    """Of a tree: how far below its root; the deepest ones are not indented further."""
    function: str = ""
    """Of a table of functions: class and name-match key, by which the viewer finds the function."""
    line: str = ""
    """Of a grid: the points of a line over the row's cells, in a box of `Table.line_box`."""


class Tint(msgspec.Struct, frozen=True, kw_only=True):
    """A colour of a grid, as its legend explains it."""

    name: str
    """`worse-5` to `better-5`; empty of the words at both ends: slower, faster."""
    text: str
    """The ratios that have it: `0.60–0.80`."""


class BaseChoice(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What the reader needs to relate the numbers of a table to another of its columns."""

    base: str
    """The key of the column that the page relates to."""
    values: str
    """Address of the `BaseValues` of the table."""


class BaseValues(msgspec.Struct, frozen=True, kw_only=True):
    """What the ratios of a table are made from, unrounded; a file next to the page."""

    variants: tuple[str, ...]
    """The names of the configurations whose numbers are here."""
    near: tuple[tuple[int, ...], ...]
    """For each variant: itself, then those shown in its place, near first."""
    columns: tuple[int, ...]
    """For each column of the table: the variant that its numbers are of."""
    rows: tuple[str, ...]
    """Their keys."""
    values: tuple[tuple[tuple[float | None, ...], ...], ...]
    """By variant, column and row; None where there is none."""


class Table(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A table with everything that is needed to read it; it refuses rows that do not fit."""

    id: str
    """The table's anchor, unique on its page."""
    caption: str
    row_head: str = ""
    """Heads the first column, that of the rows' labels."""
    namespace: str | None = None
    """Of a table of functions: what many of them are in, with its `::`, or nothing.

    The head shows it in place of the rows.
    """
    columns: tuple[ColumnHead, ...] = msgspec.field(default_factory=_none)
    by_release: bool = False
    """Its columns are releases, oldest first: where not all have room, the newest are in sight."""
    once: tuple[str, ...] = ()
    """What columns would say in every row, in their place."""
    rows: tuple[Row, ...] = msgspec.field(default_factory=_none)
    foot: tuple[Row, ...] = ()
    """Rows that sum up the others, and are not sorted with them."""
    tints: tuple[Tint, ...] = ()
    """Of a grid: its colours, from worse to better."""
    line_box: str = ""
    """Of a grid: the `viewBox` of the lines of its rows."""
    choice: BaseChoice | None = None
    """Of a table of ratios: the reader can choose what they are relative to."""
    notes: tuple[str, ...] = ()
    downloads: tuple[Link, ...] = ()

    @property
    def shared_unit(self) -> str:
        """The unit of most columns, which can be said once; empty where they differ more."""
        units = [head.unit for head in self.columns if head.unit]
        most = max(units, key=units.count, default="")
        return most if 2 * units.count(most) > len(units) else ""

    def __post_init__(self) -> None:
        for row in (*self.rows, *self.foot):
            if len(row.cells) != len(self.columns):
                raise ValueError(
                    f"table {self.id}, row {row.key}: {len(row.cells)} cells under "
                    f"{len(self.columns)} columns"
                )


class MeasureAgain(msgspec.Struct, frozen=True, kw_only=True):
    """A release whose repetition would decide much."""

    label: str
    """The release and its step that differs most."""
    url: str
    text: str
    """What it differs from, and by how much."""
    command: str
    """Measures it once more."""


class Fact(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One line of a list of facts (host, kernel, event, lost samples)."""

    label: str
    value: str
    note: str = ""
    url: str = ""


class Notice(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A sentence that must not be missed: a correction with its reason, a problem, a warning."""

    kind: Literal["correction", "problem", "warning"]
    text: str
    url: str = ""


class ShareLinks(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """How a figure is linked to or shown elsewhere: address, picture and alt text."""

    page: str
    """Address of the figure on its page, with the anchor."""
    image: str
    """Address of a picture of it, a PNG."""
    width: int
    height: int
    alt: str
    """What it shows, with the verdict, in words."""
    svg: str = ""
    """Address of the same picture as an SVG: of a chart."""
    has_embed: bool = False
    """There is a page of the page's figures alone, for frames on other sites."""


class Chart(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A chart drawn at build time."""

    id: str
    caption: str
    asset: str
    """Path of the SVG below `data/site/assets/`, written into the page."""
    table: Table | None = None
    """The same numbers, folded away below the chart."""
    share: ShareLinks | None = None
    downloads: tuple[Link, ...] = ()


class WaterfallBar(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One part of a change, from where the parts before it ended."""

    label: str
    text: str
    """By how much, with its sign."""
    tone: Tone
    start: str
    """The left end, of 1,000."""
    width: str
    url: str = ""
    """The frame that changed most."""


class Waterfall(msgspec.Struct, frozen=True, kw_only=True):
    """The parts of a change, which add up to the whole."""

    id: str
    caption: str
    bars: tuple[WaterfallBar, ...]
    whole: WaterfallBar


class GraphWork(msgspec.Struct, frozen=True, kw_only=True):
    """What the weight of a profile was spent on."""

    operations: float
    """Done while the profile was captured."""
    cost_unit: str
    """Of weight ÷ operations: "cycles per insert"."""


class Graph(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A flame graph or a diff on a page."""

    id: str
    """The name under which the graph keeps its state in the link: `#<id>.frame=…`."""
    caption: str
    asset: str
    """Path of the SVG below `data/site/assets/`, written into the page."""
    profile_url: str
    """What the viewer fetches when the reader wants more than the page shows."""
    folded: str = ""
    """Address of the folded stacks, which other sites' viewers read."""
    work: GraphWork | None = None
    """Where it is known, the viewer shows what a frame costs per operation."""
    share: ShareLinks | None = None
    heading: str = ""
    """The heading of its section on the page of a step: "Where the time goes"."""
    warnings: tuple[Notice, ...] = ()
    """What is poor in the captures, in words."""
    summary: tuple[str, ...] = ()
    """Sentences: event and unit, what colour and width mean, what was left out."""
    quality: tuple[Fact, ...] = ()
    """How good the profile is."""
    table: Table | None = None
    """The functions by self and total: the graph's equal for readers who do not see it."""
    gone: Table | None = None
    """Of a diff: the functions that only the base has."""
    downloads: tuple[Link, ...] = ()


class Drilldown(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A drilldown in both views; the captions say which is which."""

    id: str
    title: str
    along_path: Table
    whole_id: str
    """The anchor of the view over the whole profile, whether it has a table of its own or not."""
    whole_profile: Table | None = None
    """None where it has the numbers of the other view, whose notes say so."""
    downloads: tuple[Link, ...] = ()
    """Both views as text, Markdown, CSV and JSON."""


class CallTree(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A function and what it called, releases side by side."""

    id: str
    title: str
    table: Table
