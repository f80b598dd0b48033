"""What of a report its text may name: the releases and steps that it mentions.

A report has as many verdicts, graphs and numbers as cells, and more pairs than cells. Its page
carries those that its text mentions; of the others it knows names, for the message about a slip.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from heapq import nsmallest
from itertools import chain

import msgspec

from pipeline.corrections.files import Rename
from pipeline.report.mentions import Mentions
from pipeline.site_data.drawings import Drawings
from pipeline.site_data.figures import SHOWN_METRICS, Figures
from pipeline.site_data.graph_jobs import DiffKey
from pipeline.site_data.shapes import Chart, Graph
from pipeline.site_data.timelines import traces_of_cell
from pipeline.slug import slug
from pipeline.study.profiles import CellKey
from pipeline.study.study import Study

MOST_NAMES = 40
"""That a message can choose from."""


@dataclass(frozen=True)
class NamedInText:
    """The part of a report that its text can show."""

    mentions: Mentions
    variant: str
    """The default one: a text shows no other."""
    releases: tuple[str, ...]
    """In the report's order; the base is always among them, as shortcodes take it by default."""
    steps: tuple[str, ...]

    @cached_property
    def cells(self) -> Mapping[CellKey, None]:
        """All pairs of these releases and steps, in order; those that have no runs too."""
        return {
            CellKey(release, self.variant, step): None
            for release in self.releases
            for step in self.steps
        }

    def nearest(self, names: Iterable[str]) -> tuple[str, ...]:
        """Return some of the names, those first that have most parts in common with the text."""
        parts = {*self.releases, *self.steps}
        ranked = nsmallest(
            MOST_NAMES,
            ((-len(parts & set(name.split("/"))), at, name) for at, name in enumerate(names)),
        )
        return tuple(name for _, _, name in ranked)


def named_in_text(study: Study) -> NamedInText:
    """Return what the text of a report mentions, under the names that it has now."""
    report = study.report
    renames = [each.change for each in study.corrections if isinstance(each.change, Rename)]

    def is_mentioned(what: str, name: str) -> bool:
        names = {name}
        for rename in reversed(renames):
            if rename.what == what and rename.new in names:
                names.add(rename.old)
        return any(each in report.mentions for each in names)

    return NamedInText(
        report.mentions,
        report.default_variant,
        tuple(
            each.id
            for each in report.releases
            if each.id == report.base or is_mentioned("release", each.id)
        ),
        tuple(step for step in report.steps if is_mentioned("step", step)),
    )


def graphs_by_name(
    named: NamedInText, graphs: Mapping[CellKey, tuple[Graph, ...]]
) -> dict[str, Graph]:
    """Return the flame graphs that a text mentions, by `<release>/<step>`: the first of a cell."""
    return {
        f"{cell.release}/{cell.step}": graphs[cell][0] for cell in named.cells if graphs.get(cell)
    }


def diffs_by_name(named: NamedInText, diffs: Mapping[DiffKey, Graph]) -> dict[str, Graph]:
    """Return the diffs that a text mentions, by `<release>/<step>/vs/<base>`."""
    return {
        f"{cell.release}/{cell.step}/vs/{base}": diffs[DiffKey(cell, base)]
        for cell in named.cells
        for base in named.releases
        if DiffKey(cell, base) in diffs
    }


def traces_by_name(named: NamedInText, cell: CellKey, traces: Sequence[Chart]) -> dict[str, Chart]:
    """Return the traces of a cell that a text mentions, by `<release>/<step>/<number>`.

    The first is there by `<release>/<step>` too.
    """
    if cell not in named.cells or not traces:
        return {}
    name = f"{cell.release}/{cell.step}"
    charts = [_under_own_ids(each, slug(f"{cell.release}-{cell.step}")) for each in traces]
    found = {f"{name}/{number}": each for number, each in enumerate(charts, start=1)}
    return {name: charts[0], **found}


def _under_own_ids(chart: Chart, prefix: str) -> Chart:
    """Return a chart whose ids are unique among those of all steps."""
    replace = msgspec.structs.replace
    table = replace(chart.table, id=f"{prefix}-{chart.table.id}") if chart.table else None
    return replace(chart, id=f"{prefix}-{chart.id}", table=table)


def names_by_part(figures: Figures, drawings: Drawings) -> dict[str, Iterator[str]]:
    """Return all names that a text may use, by the part of the report's page that holds them."""
    study = figures.study
    variant = study.report.default_variant
    cells = {
        f"{cell.release}/{cell.step}": cell
        for cell in dict.fromkeys(each.cell for each in study.step_runs)
        if cell.variant == variant
    }
    diffs = [key for key in drawings.diffs if key.cell.variant == variant]
    of_diffs = [f"{key.cell.release}/{key.cell.step}/vs/{key.base}" for key in diffs]
    return {
        "graphs": (name for name, cell in cells.items() if study.profiles.get(cell)),
        "diffs": iter(of_diffs),
        "suspects": iter(of_diffs),
        "verdicts": chain(study.measured, cells),
        "traces": (name for name, cell in cells.items() if traces_of_cell(study, cell)),
        "cells": (
            f"{name}/{metric}"
            for metric in SHOWN_METRICS
            for name, cell in cells.items()
            if cell in figures.summaries[metric]
        ),
        "charts": iter(study.report.steps),
        "latency": iter(study.report.steps),
        "percentiles": iter(study.report.steps),
        "drilldowns": (each.name for each in study.report.drilldowns),
        "calltrees": (each.name for each in study.report.calltrees),
    }
