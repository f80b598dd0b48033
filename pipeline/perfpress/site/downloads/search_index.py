"""Builds the index of the search page: reports, releases, steps, changes, hosts and functions.

It is small, because everyone who searches downloads all of it: a cell is given by its release and
step, and the functions with the smallest shares are left out.
"""

from collections.abc import Iterable, Iterator, Sequence

import msgspec

from perfpress.base.slugs import slug
from perfpress.site.addresses import report_address
from perfpress.site.directory import Page
from perfpress.site.report_figures import Figures
from perfpress.site.shapes.blocks import Table
from perfpress.site.shapes.pages import HostPage, StepPage
from perfpress.site.tables.level_changes import change_address
from perfpress.site.words.level_changes import group_title

MOST_BYTES = 90_000
"""Most bytes of the file: with page, style and script under 100 KB compressed."""
LONGEST_LABEL = 100
"""Characters of a name; the searched part is at its beginning."""


class Searchable(msgspec.Struct, frozen=True, array_like=True):
    """Something with a page of its own."""

    label: str
    part: str
    """Of the address: below that of the report, or of the release."""


class SearchableRelease(msgspec.Struct, frozen=True, array_like=True):
    """A release."""

    label: str
    part: str
    steps: str
    """A letter a step: 1 where the release has a page for it, else 0."""


class SearchableReport(msgspec.Struct, frozen=True):
    """A report."""

    title: str
    url: str
    releases: tuple[SearchableRelease, ...]
    steps: tuple[Searchable, ...]
    changes: tuple[Searchable, ...]
    """Its level changes of throughput, steps with one first release together."""


class SearchableGraph(msgspec.Struct, frozen=True, array_like=True):
    """A graph that functions lead to."""

    page: str
    id: str
    """Its name in links."""
    label: str
    """Its step and release."""


class SearchableFunction(msgspec.Struct, frozen=True, array_like=True):
    """A function, and the graph with its largest share."""

    name: str
    page: int
    """Place in `graphs`."""


class SearchIndex(msgspec.Struct, frozen=True, kw_only=True):
    """`/search/index.json`: for this site's own page alone; `/api/` is for everyone."""

    reports: tuple[SearchableReport, ...]
    hosts: tuple[Searchable, ...]
    graphs: tuple[SearchableGraph, ...]
    functions: tuple[SearchableFunction, ...]


class FunctionsOfPages:
    """By function: its largest self share, and the graph that shows it."""

    def __init__(self) -> None:
        self.found: dict[str, tuple[float, SearchableGraph]] = {}

    def add(self, page: Page) -> None:
        """Add the functions in the tables of a page's graphs."""
        if not isinstance(page, StepPage):
            return
        for graph in page.graphs:
            of_page = SearchableGraph(page.place.path, graph.id, page.place.heading[:LONGEST_LABEL])
            for name, part in _self_parts(graph.table):
                self._note(name, part, of_page)

    def join(self, others: "FunctionsOfPages") -> None:
        """Add the functions of another report."""
        for name, (part, graph) in others.found.items():
            self._note(name, part, graph)

    def _note(self, name: str, part: float, graph: SearchableGraph) -> None:
        if part > self.found.get(name, (-1.0, None))[0]:
            self.found[name] = part, graph


def search_index(
    all_figures: Sequence[Figures], hosts: Iterable[Page], functions_of_pages: FunctionsOfPages
) -> bytes:
    """Return the index of reports, hosts and functions."""
    found = functions_of_pages.found
    graphs = tuple(dict.fromkeys(graph for _, graph in found.values()))
    places = {graph: at for at, graph in enumerate(graphs)}
    functions = [
        SearchableFunction(name[:LONGEST_LABEL], places[graph])
        for name, (_, graph) in sorted(found.items(), key=lambda each: (-each[1][0], each[0]))
    ]
    whole = SearchIndex(
        reports=tuple(_report(figures) for figures in all_figures),
        hosts=tuple(
            Searchable(page.place.heading[:LONGEST_LABEL], page.place.path)
            for page in hosts
            if isinstance(page, HostPage)
        ),
        graphs=graphs,
        functions=(),
    )
    room = MOST_BYTES - len(msgspec.json.encode(whole))
    kept = tuple(_fitting(functions, room))
    return msgspec.json.encode(msgspec.structs.replace(whole, functions=kept))


def _fitting(functions: Iterable[SearchableFunction], room: int) -> Iterator[SearchableFunction]:
    for each in functions:
        room -= len(msgspec.json.encode(each)) + 1
        if room < 0:
            return
        yield each


def _report(figures: Figures) -> SearchableReport:
    study = figures.study
    report = study.report
    with_step = {
        (each.cell.release, each.cell.step)
        for each in study.step_runs
        if each.cell.variant == report.default_variant
    }
    return SearchableReport(
        title=report.title[:LONGEST_LABEL],
        url=report_address(report),
        releases=tuple(
            SearchableRelease(
                study.label(release)[:LONGEST_LABEL],
                slug(release),
                "".join("01"[(release, step) in with_step] for step in report.steps),
            )
            for release in study.measured
        ),
        steps=tuple(Searchable(step[:LONGEST_LABEL], slug(step)) for step in report.steps),
        changes=tuple(
            Searchable(
                group_title(study, group)[:LONGEST_LABEL],
                change_address(report, group).removeprefix(report_address(report)),
            )
            for group in figures.change_groups
        ),
    )


def _self_parts(table: Table | None) -> Iterator[tuple[str, float]]:
    """Yield the functions of a table with their self shares."""
    if table is None:
        return
    at = next(index for index, column in enumerate(table.columns) if column.key == "self")
    for row in table.rows:
        yield row.label, row.cells[at].sort or 0.0
