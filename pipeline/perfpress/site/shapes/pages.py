"""The shapes of most pages, and of what every page has."""

from collections.abc import Mapping
from typing import NamedTuple

import msgspec

from perfpress.site.shapes.blocks import (
    CallTree,
    Cell,
    Chart,
    Drilldown,
    Fact,
    Graph,
    Link,
    MeasureAgain,
    Notice,
    Sentence,
    Table,
    Waterfall,
)

ShortcodeContent = Table | Chart | Graph | Drilldown | CallTree | Cell
"""What a shortcode can show; which one, `ShortcodeForm` says."""


class Card(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The picture of a page where it is linked to: 1200 × 630 pixels."""

    image: str
    """Address of a PNG."""
    alt: str
    """What it shows, in words."""


class Place(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Address and titles of a page."""

    path: str
    """The page's address without the base path: `/reports/postgres-releases/18/select/`."""
    title: str
    """For the browser's title and for lists."""
    heading: str
    description: str
    """One sentence for search results and cards; where there is a verdict, it says it."""
    card: Card | None = None
    is_part: bool = False
    """Whether it has a part of the releases: it has no card, as those there are show the newest."""
    breadcrumbs: tuple[Link, ...] = ()
    previous: Link | None = None
    next: Link | None = None
    related: tuple[Link, ...] = ()
    """Other variants, all releases of this step."""


def _kind(name: str) -> str:
    return name.removesuffix("Page").lower()


class Page(
    msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="kind", tag=_kind
):
    """A page of any kind; `layouts/_partials/pages/release.html` shows a `ReleasePage`."""

    place: Place


class TablePages(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The pages of a table that is too long for one, or of tables that are too wide."""

    what: str
    """The name of all rows or columns."""
    pages: tuple[Link, ...]
    table: str = ""
    """The id of the long table, the same on each of them."""
    rows: str = ""
    """Address of the `RowsOfPages` of the long table."""


class RowOfPages(msgspec.Struct, frozen=True, array_like=True):
    """A row of a table that has several pages."""

    key: str
    label: str
    page: int
    """Its place in `TablePages.pages`."""


class RowsOfPages(msgspec.Struct, frozen=True, kw_only=True):
    """`rows.json` beside the pages of a table: on which of them a row is."""

    rows: tuple[RowOfPages, ...]


class Suspects(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What changed in one diff, or in several."""

    waterfall: Waterfall | None = None
    summary: tuple[str, ...]
    """Sentences: what grew evenly, what is compared, and what chance says."""
    tables: tuple[Table, ...] = ()
    """Additions and savings, where there are any."""
    shifts: Table | None = None
    """What moved without growing."""


class ReleasePage(Page, frozen=True, kw_only=True):
    """`/reports/<report>/<release>/`."""

    opening: tuple[Sentence, ...]
    """The verdicts in words, which the page opens with."""
    facts: tuple[Fact, ...]
    steps: tuple[Table, ...]
    """Of each variant: a row a step; against base, against previous, value, range, runs; and the
    top functions of steps without rates."""
    environment: Table
    """Machine, tools and attachments, next to the base's."""
    runs: Table
    """Provenance: every bundle, valid or not, with its checksum, start and corrections."""
    waterfalls: tuple[Waterfall, ...] = ()
    """Of the steps whose cost changed most against the base."""
    suspects: tuple[Suspects, ...] = ()
    """The biggest of all steps: against the base, and against the release before."""
    commands: Table | None = None
    """Provenance: the commands in the bundles, without secrets."""
    profiles: Table | None = None
    """Provenance: what each profile was captured from, and how well."""
    notices: tuple[Notice, ...] = ()
    corrections: tuple[Notice, ...] = ()
    """What was corrected since, in sentences."""
    downloads: tuple[Link, ...] = ()


class StepPage(Page, frozen=True, kw_only=True):
    """`/reports/<report>/<release>/<step>/` and `…/@<variant>/`."""

    opening: tuple[Sentence, ...]
    """What all evidence shows, in one line."""
    summary: tuple[str, ...]
    """The evidence for it, in sentences with numbers."""
    facts: tuple[Fact, ...]
    near: Sentence = ()
    """Which releases the page shows, where these are not all."""
    results: Table | None
    """The releases: against base and previous, median, interval, range, runs, cost; or the top
    functions of a step without rates."""
    stability: Table | None = None
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
    """One an event; where only other steps have profiles, `notices` says that it has none."""
    drilldowns: tuple[Drilldown, ...] = ()
    waterfall: Waterfall | None = None
    """What changed against the base, or else against the release before."""
    quality: Table | None = None
    """Captures: seconds, samples, lost, unknown; over the releases."""
    code: tuple[Table, ...] = ()
    """Kinds of code: where it is, and what it does; over the releases."""
    diffs: tuple[Link, ...] = ()
    notices: tuple[Notice, ...] = ()
    corrections: tuple[Notice, ...] = ()
    """What was corrected since, in sentences."""
    downloads: tuple[Link, ...] = ()


class DiffPage(Page, frozen=True, kw_only=True):
    """`/reports/<report>/<release>/<step>/vs/<base>/`."""

    opening: tuple[Sentence, ...] = ()
    """What all evidence shows, in one line; without two rates, whose shares changed."""
    summary: tuple[str, ...] = ()
    """What an operation costs by the author's rates."""
    headline: tuple[Fact, ...]
    """Throughput, cost per operation and latency of both, with the change."""
    matched: str
    """"97.2 % of the weight could be matched"."""
    functions_first: bool = False
    """Too little is matched for the graph to say much."""
    graph: Graph | None
    suspects: Suspects
    functions: Table
    """Base, after and change of the functions, the largest change of self first."""
    renames: Table | None = None
    """Functions that were matched though their names differ, and why."""
    environment: Table
    corrections: tuple[Notice, ...] = ()
    """What was corrected since, in sentences."""
    downloads: tuple[Link, ...] = ()


class ReportPage(Page, frozen=True, kw_only=True):
    """`/reports/<report>/`: what its summary and the shortcodes of its text show, by name.

    Of what shortcodes show it holds what the text mentions.
    """

    opening: tuple[Sentence, ...]
    """The verdicts on the newest release, in words."""
    picture: Table | None
    """All steps and releases of the default variant, or their top functions where there are no
    rates; the first thing that the page shows."""
    levels: Table | None = None
    """At which releases the throughput of steps changed; of the default variant."""
    again: tuple[MeasureAgain, ...] = ()
    """What to measure again to settle it."""
    releases: Table
    """A row a release, with the counts of its verdicts; links to the release pages."""
    release_pages: TablePages | None = None
    """Where the table has the newest releases alone."""
    variants: tuple[Link, ...] = ()
    """The pages that have all tables of a variant."""
    shown: Mapping[str, Mapping[str, ShortcodeContent]] = {}
    """By shortcode and name: what the text can show."""
    names: dict[str, tuple[str, ...]] = {}
    """By shortcode: what the text may name, the nearest first to what it does name; for the message
    about a name that is not known. By `variant` what that argument may be."""
    missing: dict[str, dict[str, Notice]] = {}
    """By shortcode and name, what the text may name although it cannot be shown: the notice that
    is shown in its place. Other names stop the build."""
    corrections: tuple[Notice, ...] = ()
    """What was corrected since, in sentences."""
    downloads: tuple[Link, ...] = ()


class ReleasesPage(Page, frozen=True, kw_only=True):
    """`/reports/<report>/releases/<page>/`: a part of all releases."""

    releases: Table
    release_pages: TablePages


class VariantPage(Page, frozen=True, kw_only=True):
    """`/reports/<report>/@<variant>/`: all steps and releases of one variant, side by side.

    Or `…/releases/<page>/` below it: the same tables of a part of the releases.
    """

    opening: tuple[Sentence, ...] = ()
    """The verdicts on its newest release, in words."""
    picture: Table | None
    """All steps and releases: relative to the base, or their top functions."""
    levels: Table | None = None
    """At which releases the throughput of steps changed."""
    again: tuple[MeasureAgain, ...] = ()
    """What to measure again to settle it."""
    release_pages: TablePages | None = None
    """The pages of all releases, where the tables have the newest ones."""
    previous: Table | None = None
    """Relative to the release before."""
    throughput: Table | None = None
    by_release: Chart | None = None
    """All steps relative to the base, release by release."""
    efficiency: tuple[Table, ...] = ()
    """What an operation costs the host: absolute and relative, by metric."""
    response_times: tuple[Table, ...] = ()
    """Percentiles, by which one it is."""
    downloads: tuple[Link, ...] = ()


class MovedPage(Page, frozen=True, kw_only=True):
    """An address from before a rename: it says what happened and leads on."""

    notices: tuple[Notice, ...]
    now: Link


class HostPage(Page, frozen=True, kw_only=True):
    """`/hosts/<host>/`: what ran there."""

    opening: tuple[Sentence, ...] = ()
    """What the newest release of each report changed on the host."""
    facts: tuple[Fact, ...]
    """How many runs there are, and from when to when."""
    machine: Table | None
    """What its bundles say of the machine; None where they say nothing."""
    releases: Table
    """A row a report and release, newest first."""
    runs: Table
    """A row a run, newest first."""


class HostsPage(Page, frozen=True, kw_only=True):
    """`/hosts/`."""

    hosts: Table


class Listed(NamedTuple):
    """A written page, without its contents."""

    kind: str
    place: Place
    pictures: list[str]
    """Addresses of the pictures of its figures, of which there is a page with them alone."""
    moved_to: str
    """Of a page that was renamed: the address that it leads to."""
    opening: Sentence
    """What a page of a report or a variant opens with, as one paragraph."""
