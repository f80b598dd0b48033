"""The index that the page of the search reads: reports, releases, steps, hosts and functions.

It is small, because everyone who searches fetches the whole of it: a cell is told by its release
and step, and of functions those are left out that take the least of their profiles.
"""

from collections.abc import Iterable, Iterator, Sequence

import msgspec

from pipeline.site_data.addresses import report_address
from pipeline.site_data.directory import Page
from pipeline.site_data.host_shapes import HostPage
from pipeline.site_data.page_shapes import StepPage
from pipeline.site_data.shapes import Table
from pipeline.slug import slug
from pipeline.study.study import Study

MOST_BYTES = 90_000
"""Of the file: with page, style and script it stays below 100 KB once packed."""
LONGEST_LABEL = 100
"""Characters of a name; what is searched for stands at its beginning."""


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


class SearchableGraph(msgspec.Struct, frozen=True, array_like=True):
    """A graph that functions lead to."""

    page: str
    id: str
    """What it is called in links."""
    label: str
    """Which step and release it is of."""


class SearchableFunction(msgspec.Struct, frozen=True, array_like=True):
    """A function, and the graph in which it takes most."""

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
    """By name the largest part that a function takes itself, and the graph where it does."""

    def __init__(self) -> None:
        self.found: dict[str, tuple[float, SearchableGraph]] = {}

    def add(self, page: Page) -> None:
        """Note the functions that the graphs of a page have in their tables."""
        if not isinstance(page, StepPage):
            return
        for graph in page.graphs:
            of_page = SearchableGraph(page.place.path, graph.id, page.place.heading[:LONGEST_LABEL])
            for name, part in _self_parts(graph.table):
                self._note(name, part, of_page)

    def join(self, others: "FunctionsOfPages") -> None:
        """Note what was found in the pages of another report."""
        for name, (part, graph) in others.found.items():
            self._note(name, part, graph)

    def _note(self, name: str, part: float, graph: SearchableGraph) -> None:
        if part > self.found.get(name, (-1.0, None))[0]:
            self.found[name] = part, graph


def search_index(
    studies: Sequence[Study], hosts: Iterable[Page], functions_of_pages: FunctionsOfPages
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
        reports=tuple(_report(study) for study in studies),
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


def _report(study: Study) -> SearchableReport:
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
    )


def _self_parts(table: Table | None) -> Iterator[tuple[str, float]]:
    """Yield the functions of a table with the part of the profile that each takes itself."""
    if table is None:
        return
    at = next(index for index, column in enumerate(table.columns) if column.key == "self")
    for row in table.rows:
        yield row.label, row.cells[at].sort or 0.0
