"""Builds the index of the search page: reports, releases, steps, changes, hosts and functions.

It is small, because everyone who searches downloads all of it: a cell is given by its release and
step. Functions named in a change, a shift or a drilldown come first, the largest before others;
then those with the largest shares. What has no room is counted.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Literal, get_args

import msgspec

from perfpress.base.display import short_name
from perfpress.base.slugs import slug
from perfpress.site.addresses import (
    all_releases_address,
    diff_address,
    diff_graph_id,
    report_address,
)
from perfpress.site.nearby_releases import MOST, newest_releases
from perfpress.site.report_figures import DiffKey, Figures
from perfpress.site.shapes.blocks import Table
from perfpress.site.shapes.matrix import MatrixPage
from perfpress.site.shapes.pages import HostPage, Page, StepPage
from perfpress.site.tables.diff_findings import FindingsOfDiffs
from perfpress.site.tables.drilldowns import MOST_NAMES, WeighedDrilldowns, along_path_id
from perfpress.site.tables.level_changes import change_address
from perfpress.site.words.level_changes import group_title

MOST_BYTES = 80_000
"""Of functions and their places: a third of it, compressed. All releases and steps are there,
however many: they are alike, and a tenth of their size when compressed."""
LONGEST_LABEL = 100
"""Characters of a name; the searched part is at its beginning."""
LONGEST_END = 300
"""Characters of a frame's path; a function with a longer one is searched for by its name."""


class Searchable(msgspec.Struct, frozen=True, array_like=True):
    """A step, a level change or a host: anything that has its own page."""

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


class SearchablePlace(msgspec.Struct, frozen=True, array_like=True):
    """A graph or table that functions lead to."""

    url: str
    """Address up to the function: `/reports/…/#flamegraph-18-select.search=`."""
    label: str
    """What is shown there: "costs more in select, 17 → 18"."""


class SearchableFunction(msgspec.Struct, frozen=True, array_like=True):
    """A function at one place."""

    name: str
    place: int
    """In `places`."""
    end: str
    """What completes the address; the name where it is empty."""


class SearchIndex(msgspec.Struct, frozen=True, kw_only=True):
    """`/search/index.json`: internal to the search page; `/api/` is the public interface."""

    reports: tuple[SearchableReport, ...]
    hosts: tuple[Searchable, ...]
    places: tuple[SearchablePlace, ...]
    functions: tuple[SearchableFunction, ...]
    left_out: int
    """How many functions have no room: those with the smallest changes and shares."""


@dataclass(frozen=True)
class _Shown:
    """A function where it is shown."""

    size: float
    """Its share of the profile, or its change or shift as a part of that."""
    place: SearchablePlace
    end: str = ""
    """What completes the address of the place; the name where it is empty."""


Kind = Literal["change", "drilldown", "share"]

CHANGES_OF_COST = ("costs more", "costs less")
CHANGES_OF_SHARE = ("larger share", "smaller share")
"""A larger share is not a higher cost: that needs the operations or the seconds."""

BY_IMPORTANCE: tuple[Kind, ...] = get_args(Kind)
"""Functions of the last kind are left out first where there is no room for all."""


@dataclass(frozen=True)
class FunctionIndex:
    """Where functions are shown: at their largest change, in a drilldown, where they take most."""

    found: dict[tuple[Kind, str], _Shown] = field(default_factory=dict)
    """By kind and name."""

    def add_findings(self, figures: Figures, found: FindingsOfDiffs) -> None:
        """Add the functions that changed or moved in diffs, and those that changed with them."""
        for key, findings in found.items():
            whole = max(findings.base.whole, findings.after.whole)
            if whole <= 0:
                continue
            more, less = CHANGES_OF_SHARE if findings.basis == "share" else CHANGES_OF_COST
            for changes, what in ((findings.additions, more), (findings.savings, less)):
                in_diff = _PlacesInDiff.of(figures, key, what)
                for change in changes:
                    self._note("change", change.name, in_diff.at(change.net / whole, change.path))
                    for other in (*change.callers, *change.callees):
                        self._note("change", other.name, in_diff.at(other.net / whole))
            in_diff = _PlacesInDiff.of(figures, key, "moved")
            for shift in findings.shifts:
                self._note("change", shift.name, in_diff.at(shift.risen / whole, shift.path))

    def add_drilldowns(self, figures: Figures, weighed: WeighedDrilldowns) -> None:
        """Add the functions that drilldowns name."""
        report = figures.study.report
        titles = {each.name: each.title or each.name for each in report.matter.drilldowns}
        for (name, (variant, step)), made in weighed.items():
            page = all_releases_address(report, step, variant)
            url = f"{page}#{along_path_id(name, step)}."
            place = _place(url, f"in the drilldown “{titles[name]}” of {step}")
            releases = tuple(row.release for row in made.along_path)
            shown_there = newest_releases(releases, figures.study.base_of(variant), MOST)
            for row in made.along_path:
                if row.release not in shown_there:
                    continue
                for cell in row.cells:
                    for matched in cell.names[:MOST_NAMES]:
                        size = (cell.share or 0.0) * matched.weight / max(cell.weight, 1)
                        shown = _Shown(size, place, slug(row.release))
                        self._note("drilldown", matched.name, shown)

    def add(self, page: Page) -> None:
        """Add the functions in the tables of a page."""
        path, heading = page.place.path, page.place.heading
        if isinstance(page, StepPage):
            for graph in page.graphs:
                place = _place(f"{path}#{graph.id}.search=", f"takes most in {heading}")
                for name, share in _shares(graph.table):
                    self._note("share", name, _Shown(share, place))
        elif isinstance(page, MatrixPage):
            if table := page.function_changes:
                place = _place(f"{path}#{table.id}.", f"level change in {heading}")
                for row in table.rows:
                    self._note("change", row.label, _Shown(0.0, place, row.key))
            if matrix := page.matrix:
                place = _place(f"{path}#{matrix.id}.", f"takes most in {heading}")
                for each in matrix.rows:
                    self._note("share", each.name, _Shown(each.largest, place, each.key))

    def join(self, other: "FunctionIndex") -> None:
        """Add the functions of another report."""
        for (kind, name), shown in other.found.items():
            self._note(kind, name, shown)

    def by_importance(self) -> list[tuple[str, _Shown]]:
        """Return names with their places, the most important first."""
        ranked = sorted(
            self.found.items(),
            key=lambda each: (BY_IMPORTANCE.index(each[0][0]), -each[1].size, each[0][1]),
        )
        return [(name, shown) for (_, name), shown in ranked]

    def _note(self, kind: Kind, name: str, shown: _Shown) -> None:
        known = self.found.get((kind, name))
        if known is None or shown.size > known.size:
            self.found[kind, name] = shown


@dataclass(frozen=True)
class _PlacesInDiff:
    """A diff, in which a function is zoomed to or searched for."""

    frame: SearchablePlace
    search: SearchablePlace

    @classmethod
    def of(cls, figures: Figures, key: DiffKey, what: str) -> "_PlacesInDiff":
        study, cell = figures.study, key.cell
        page = diff_address(study.report, cell, key.base)
        graph = f"{page}#{diff_graph_id(key.cell, key.base)}"
        releases = f"{study.label(key.base)} → {study.label(cell.release)}"
        label = f"{what} in {cell.step}, {releases}"
        return cls(_place(f"{graph}.frame=", label), _place(f"{graph}.search=", label))

    def at(self, change: float, path: str = "") -> _Shown:
        """Return where a function changed, by its part of the profile and the path of its frame."""
        if 0 < len(path) <= LONGEST_END:
            return _Shown(abs(change), self.frame, path)
        return _Shown(abs(change), self.search)


def search_index(
    reports: Sequence[SearchableReport], hosts: Iterable[Page], functions: FunctionIndex
) -> bytes:
    """Return the index of reports, hosts and functions."""
    whole = SearchIndex(
        reports=tuple(
            msgspec.structs.replace(each, title=each.title[:LONGEST_LABEL]) for each in reports
        ),
        hosts=tuple(
            Searchable(page.place.heading[:LONGEST_LABEL], page.place.path)
            for page in hosts
            if isinstance(page, HostPage)
        ),
        places=(),
        functions=(),
        left_out=0,
    )
    places: dict[SearchablePlace, int] = {}
    kept: list[SearchableFunction] = []
    ranked = functions.by_importance()
    room = MOST_BYTES
    for name, shown in ranked:
        place = places.get(shown.place, len(places))
        function = _function(name, shown, place)
        room -= len(msgspec.json.encode(function)) + 1
        if place == len(places):
            room -= len(msgspec.json.encode(shown.place)) + 1
        if room < 0:
            break
        places[shown.place] = place
        kept.append(function)
    return msgspec.json.encode(
        msgspec.structs.replace(
            whole,
            places=tuple(places),
            functions=tuple(kept),
            left_out=len({name for name, _ in ranked} - {name for name, _ in ranked[: len(kept)]}),
        )
    )


def searchable_report(figures: Figures) -> SearchableReport:
    """Return a report as the index has it."""
    study = figures.study
    report = study.report
    with_step = {
        (each.cell.release, each.cell.step)
        for each in study.step_runs
        if each.cell.variant == report.default_variant
    }
    return SearchableReport(
        title=report.title,
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


def _place(url: str, label: str) -> SearchablePlace:
    return SearchablePlace(url, label[:LONGEST_LABEL])


def _function(name: str, shown: _Shown, place: int) -> SearchableFunction:
    label = short_name(name)[:LONGEST_LABEL]
    return SearchableFunction(label, place, "" if shown.end == label else shown.end)


def _shares(table: Table | None) -> Iterator[tuple[str, float]]:
    """Yield the functions of a table with the larger of their shares: of self and total."""
    if table is None:
        return
    at = [index for index, column in enumerate(table.columns) if column.key in ("self", "total")]
    for row in table.rows:
        yield row.label, max(row.cells[index].sort or 0.0 for index in at)
