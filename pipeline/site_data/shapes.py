"""The shapes of the files under `data/site/`, which Hugo's templates read.

Every number a template prints arrives here as text that is ready to show (Hugo reads JSON numbers
as 64-bit floats), except `sort`, which is only compared. Keys are lower_snake_case because Hugo
lowers the case of keys it is given. The templates compute nothing and judge nothing.

| file | shape |
|---|---|
| `data/site/data/site.json` | `Site` |
| `data/site/assets/perfpress/<page path>.json` | one of the `…Page` shapes, told apart by `kind` |
"""

from typing import Literal

import msgspec

Tone = Literal["", "better", "worse", "same", "unknown"]


class Link(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A link; `url` is a site path without the base path (`/reports/…/`), or an absolute URL."""

    label: str
    url: str
    note: str = ""
    """What stands behind the link: the size of a download, the orientation of a diff."""
    download: str = ""
    """Of a file to keep: the name it gets, which says what it is wherever it goes."""


class Phrase(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A part of a sentence, with its spaces and stops; some lead to a page."""

    text: str
    url: str = ""


Sentence = tuple[Phrase, ...]


class Column(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A table's column."""

    key: str
    """Unique in its table; part of the anchors of its cells."""
    label: str
    unit: str = ""
    meaning: str = ""
    """One sentence for the table's legend."""
    numeric: bool = True


class Cell(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One cell of a table."""

    text: str
    tone: Tone = ""
    """Told by colour and, for better and worse, by `mark` as well."""
    mark: str = ""
    """A sign beside the number, read out by its `tone`."""
    note: str = ""
    """Why the cell is absent, what matched, which line it came from: shown on request."""
    url: str = ""
    links: tuple[Link, ...] = ()
    """Other places that show the same, below the note."""
    sort: float | None = None
    """What the column is sorted by; `None` sorts last."""


class Row(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One row: a head and one cell for every column."""

    key: str
    """Unique in its table; the row's anchor is `<table id>.<key>`."""
    label: str
    cells: tuple[Cell, ...]
    url: str = ""
    note: str = ""
    current: bool = False
    """The row of the release whose page this is."""
    unit: str = ""
    """Of the row's numbers, where rows differ in it."""
    group: str = ""
    """Of rows that stand together under a heading of their own: the heading."""
    depth: int = 0
    """Of a tree: how far below its root; the deepest ones stand in no further."""
    function: str = ""
    """Of a table of functions: class and name-match key, by which the viewer finds the function."""


class BaseChoice(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What the reader needs to relate the numbers of a table to another of its columns."""

    base: str
    """The key of the column that the page relates to."""
    values: str
    """Address of the `BaseValues` of the table."""


class BaseValues(msgspec.Struct, frozen=True, kw_only=True):
    """What the ratios of a table are made from, unrounded; a file beside the page."""

    variants: tuple[str, ...]
    """The names of the configurations whose numbers are here."""
    near: tuple[tuple[int, ...], ...]
    """For each variant: itself, then those that may stand in for it, near first."""
    columns: tuple[int, ...]
    """For each column of the table: the variant that its numbers are of."""
    rows: tuple[str, ...]
    """Their keys."""
    values: tuple[tuple[tuple[float | None, ...], ...], ...]
    """By variant, column and row; None where there is none."""


class Table(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A table with everything that is needed to read it."""

    id: str
    """The table's anchor, unique on its page."""
    caption: str
    row_head: str
    """Heads the first column, that of the rows' labels."""
    columns: tuple[Column, ...]
    rows: tuple[Row, ...]
    foot: tuple[Row, ...] = ()
    """Rows that sum up the others, and are not sorted with them."""
    choice: BaseChoice | None = None
    """Of a table of ratios: the reader can choose what they are relative to."""
    notes: tuple[str, ...] = ()
    downloads: tuple[Link, ...] = ()


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


class Share(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What a reader takes a figure along by: into a text, or to another site."""

    page: str
    """Address of the figure on its page, with the anchor."""
    image: str
    """Address of a picture of it: a PNG of a graph, an SVG of a chart."""
    width: int
    height: int
    alt: str
    """What it shows, with the verdict, in words."""
    markdown_alt: str
    """The same, safe between the brackets of Markdown."""
    bare: str = ""
    """Address of the figure alone, for a frame on another site."""


class Chart(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A chart drawn at build time."""

    id: str
    caption: str
    asset: str
    """Path of the SVG below `data/site/assets/`, written into the page."""
    table: Table | None = None
    """The same numbers, folded away below the chart."""
    share: Share | None = None
    downloads: tuple[Link, ...] = ()


class GraphWork(msgspec.Struct, frozen=True, kw_only=True):
    """What the weight of a profile was spent on."""

    operations: float
    """Done while the profile was captured."""
    operation: str
    """What one is called: "insert"."""


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
    """Where it is known, the viewer tells what a frame costs per operation."""
    share: Share | None = None
    heading: str = ""
    """Of the part of a step's page that shows it: "Where the time goes"."""
    warnings: tuple[Notice, ...] = ()
    """What is poor in the captures, in words."""
    summary: tuple[str, ...] = ()
    """Sentences: event and unit, what colour and width mean, what was left out."""
    quality: tuple[Fact, ...] = ()
    """How good the profile is."""
    table: Table | None = None
    """The functions by self and total: the graph's equal for readers who do not see it."""
    downloads: tuple[Link, ...] = ()


class Drilldown(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A drilldown in both views; the captions say which is which."""

    id: str
    title: str
    along_path: Table
    whole_profile: Table
    downloads: tuple[Link, ...] = ()
    """Both views as text, Markdown, CSV and JSON."""


class CallTree(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A function and what it called, releases side by side."""

    id: str
    title: str
    table: Table


class Card(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The picture that stands for a page where it is linked to: 1200 × 630 pixels."""

    image: str
    """Address of a PNG."""
    alt: str
    """What it shows, in words."""


class Place(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Where a page stands: what every page shape begins with."""

    path: str
    """The page's address without the base path: `/reports/postgres-releases/18/select/`."""
    title: str
    """For the browser's title and for lists."""
    heading: str
    description: str
    """One sentence for search results and cards; where there is a verdict, it says it."""
    card: Card | None = None
    breadcrumbs: tuple[Link, ...] = ()
    previous: Link | None = None
    next: Link | None = None
    related: tuple[Link, ...] = ()
    """Other variants, all releases of this step."""


class Suspects(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What of one diff, or of several, explains a regression."""

    summary: tuple[str, ...]
    """Sentences: what grew evenly, what is compared, and what chance says."""
    table: Table | None = None
    """The suspects, where there are any."""
    shifts: Table | None = None
    """What moved without growing."""


class ReleasePage(
    msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="kind", tag="release"
):
    """`/reports/<report>/<release>/`."""

    place: Place
    opening: tuple[Sentence, ...]
    """The verdicts in words, which the page opens with."""
    facts: tuple[Fact, ...]
    steps: tuple[Table, ...]
    """One table a variant: a row a step; against base, against previous, value, range, runs."""
    environment: Table
    """Machine, tools and attachments beside the base's."""
    runs: Table
    """Provenance: every bundle, valid or not, with its checksum, start and corrections."""
    suspects: tuple[Suspects, ...] = ()
    """The biggest of all steps: against the base, and against the release before."""
    commands: Table | None = None
    """Provenance: what was run, as the bundles tell it, without secrets."""
    profiles: Table | None = None
    """Provenance: what each profile was captured from, and how well."""
    notices: tuple[Notice, ...] = ()
    downloads: tuple[Link, ...] = ()


class StepPage(
    msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="kind", tag="step"
):
    """`/reports/<report>/<release>/<step>/` and `…/@<variant>/`."""

    place: Place
    summary: tuple[str, ...]
    """What was measured, in sentences with numbers; the page opens with them."""
    facts: tuple[Fact, ...]
    near: Sentence = ()
    """Which releases the page shows, where these are not all."""
    results: Table
    """The releases: against base and previous, median, interval, range, runs, cost."""
    courses: Table | None = None
    """How the throughput went on inside the runs, over the releases."""
    percentiles: Chart | None = None
    """The percentile curves of the releases."""
    response_times: tuple[Table, ...] = ()
    """Percentiles and histograms, over the releases."""
    runs: Table
    """Every run of this release and step with its value, file and line."""
    comparison: Chart | None = None
    """The releases' ratios to the base, with all single runs."""
    charts: tuple[Chart, ...] = ()
    """Over time."""
    traces: tuple[Chart, ...] = ()
    """Single operations: where the time of each went."""
    graphs: tuple[Graph, ...] = ()
    """One an event; empty where there is no profile, and `notices` says why."""
    drilldowns: tuple[Drilldown, ...] = ()
    quality: Table | None = None
    """Captures: seconds, samples, lost, unknown; over the releases."""
    code: tuple[Table, ...] = ()
    """Kinds of code: where it is, and what it does; over the releases."""
    diffs: tuple[Link, ...] = ()
    notices: tuple[Notice, ...] = ()
    downloads: tuple[Link, ...] = ()


class DiffPage(
    msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="kind", tag="diff"
):
    """`/reports/<report>/<release>/<step>/vs/<base>/`."""

    place: Place
    headline: tuple[Fact, ...]
    """Throughput, cost per operation and latency of both, with the change; comes first."""
    matched: str
    """"Matched: 97.2 % of the weight"."""
    functions_first: bool = False
    """Too little is matched for the graph to say much."""
    graph: Graph | None
    suspects: Suspects
    functions: Table
    """Base, after and change of the functions, the largest change of self first."""
    joined: Table | None = None
    """Functions that were taken for one though their names differ, and why."""
    environment: Table
    notices: tuple[Notice, ...] = ()
    downloads: tuple[Link, ...] = ()


class ReportPage(
    msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="kind", tag="report"
):
    """`/reports/<report>/`: what its summary and the shortcodes of its text show, by name.

    Of charts, graphs, verdicts and numbers it holds those that the text mentions.
    """

    place: Place
    now: tuple[Sentence, ...]
    """Where things stand: the verdicts on the newest release, in words."""
    releases: Table
    """A row a release, with its verdicts counted; links to the release pages."""
    throughput: tuple[Table, ...]
    """One table a variant, default variant first: rows steps, columns releases, median rates."""
    relative: tuple[Table, ...]
    """The same, relative to the base release and to the previous one."""
    variants: tuple[Link, ...] = ()
    """The pages that have all tables of a variant."""
    charts: dict[str, Chart] = {}
    """By step id: throughput over time, all releases on one scale."""
    latency: dict[str, Chart] = {}
    """By step id: latency over time, all releases on one scale."""
    percentiles: dict[str, Chart] = {}
    """By step id: percentile curves, all releases on one scale."""
    by_release: tuple[Chart, ...] = ()
    """All steps relative to the base, release by release: a chart a variant, default first."""
    drilldowns: dict[str, Drilldown] = {}
    """By the name that the report's front matter gives them."""
    calltrees: dict[str, CallTree] = {}
    """The same of call trees."""
    graphs: dict[str, Graph] = {}
    """By `<release>/<step>` of the default variant."""
    diffs: dict[str, Graph] = {}
    """By `<release>/<step>/vs/<base>`."""
    traces: dict[str, Chart] = {}
    """By `<release>/<step>` for the first, and by `<release>/<step>/<number>`."""
    verdicts: dict[str, Table] = {}
    """By `<release>`, and by `<release>/<step>`, of the default variant."""
    suspects: dict[str, Table] = {}
    """By `<release>/<step>/vs/<base>`; against the report's base also by `<release>/<step>`."""
    cells: dict[str, Cell] = {}
    """By `<release>/<step>/<metric>`: one number for use inside a sentence."""
    names: dict[str, tuple[str, ...]] = {}
    """By the part of this page that would hold them: what the text may name, the nearest first to
    what it does name; for the message about a name that is not known."""
    withdrawn: dict[str, Notice] = {}
    """What the text may name although it cannot be shown, by shortcode and name
    (`flamegraph 18/select`): the notice that stands in its place. Other names stop the build."""
    notices: tuple[Notice, ...] = ()
    downloads: tuple[Link, ...] = ()


class VariantPage(
    msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="kind", tag="variant"
):
    """`/reports/<report>/@<variant>/`: all steps and releases of one variant, beside each other."""

    place: Place
    opening: tuple[Sentence, ...]
    """The verdicts on its newest release, in words."""
    relative: tuple[Table, ...]
    throughput: Table
    by_release: Chart | None = None
    """All steps relative to the base, release by release."""
    efficiency: tuple[Table, ...] = ()
    """What an operation took of its host: absolute and relative, by what is counted."""
    response_times: tuple[Table, ...] = ()
    """Percentiles, by which one it is."""
    downloads: tuple[Link, ...] = ()


class MovedPage(
    msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="kind", tag="moved"
):
    """An address from before a rename: it says what happened and leads on."""

    place: Place
    notices: tuple[Notice, ...]
    now: Link


class ListedReport(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A report as the home page lists it."""

    id: str
    title: str
    url: str
    summary: str
    """"4 releases, 3 steps, 28 runs; newest run 2026-11-21"."""
    feed: str = ""
    """Address of its feed of changes."""
    authored: bool
    """False where nobody wrote a text: a content adapter makes its page."""


class AdapterPage(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A page that the content adapter adds."""

    path: str
    """Below the content root, without slashes at the ends."""
    title: str
    kind: Literal["page", "section"] = "page"


class ListedProblem(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A `Problem` as `/problems/` shows it."""

    where: str
    found: str
    expected: str
    do: str
    severity: Literal["error", "warning"]
    excerpt: str = ""
    """What it is about, with a `^` below the place."""


class Site(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What is true of the whole site."""

    reports: tuple[ListedReport, ...]
    pages: tuple[AdapterPage, ...]
    """Pages that nobody wrote by hand."""
    embeds: tuple[AdapterPage, ...] = ()
    """Pages of the figures of one page alone, for frames on other sites."""
    problems: tuple[ListedProblem, ...]
    changes: Table | None = None
    """What the last release of each report changed; confirmed changes come first."""
    machine_files: tuple[Link, ...] = ()
    """The feed of changes, and what `/api/` holds."""
    hosts: tuple[Link, ...] = ()
    """What benchmarks ran on."""
    card: Card | None = None
    """Of the home page, and of all pages that have none nearer."""
    size: str
    """Of all files for download: `12.3 MB`."""
