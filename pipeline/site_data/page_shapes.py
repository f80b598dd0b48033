"""The shapes of most pages, and of what every page has; see `shapes`."""

import msgspec

from pipeline.site_data.shapes import (
    CallTree,
    Cell,
    Chart,
    Drilldown,
    Fact,
    Graph,
    Link,
    Notice,
    Sentence,
    Table,
)


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
    summary: tuple[str, ...] = ()
    """The verdict on the throughput; empty where there is none."""
    headline: tuple[Fact, ...]
    """Throughput, cost per operation and latency of both, with the change."""
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
    overview: tuple[Table, ...]
    """All steps and releases of the default variant: what the page shows if its text does not."""
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
    throughput: Table | None
    profiles: Table | None
    """What was sampled, where no log tells how fast it was."""
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
