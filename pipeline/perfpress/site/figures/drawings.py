"""Draws the flame graphs, diffs and charts of a report with Node."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import TypeVar

import msgspec

from perfpress.analysis.study.profiles import CellKey
from perfpress.base.node.jobs import Done, Job, run_jobs
from perfpress.base.node.messages.charts import ChartAnswer, ChartRequest
from perfpress.base.node.messages.graphs import DiffAnswer, FlamegraphAnswer
from perfpress.base.node.messages.message import Answer, Request
from perfpress.base.node.messages.profiles import CapturesAnswer
from perfpress.base.node.requests import CHARTS, FLAMEGRAPH, PROFILE
from perfpress.base.pace import Pace
from perfpress.base.problems import Problem
from perfpress.site.context import SiteContext
from perfpress.site.figures.charts import planned_charts
from perfpress.site.figures.graph_jobs import (
    captures_jobs,
    diff_graph_jobs,
    diff_jobs,
    flamegraph_jobs,
    overdispersions,
)
from perfpress.site.figures.planned_chart import PlannedChart
from perfpress.site.report_figures import DiffKey, Figures
from perfpress.site.tables.diff_findings import FindingsOfDiffs

Key = TypeVar("Key")
A = TypeVar("A", bound=Answer)

AT_ONCE = 4096
"""Jobs in memory at a time: each request holds all numbers of its drawing."""
GRAPHS_AT_ONCE = 16
"""Jobs per process before results are cached: a graph takes a second."""
CHARTS_AT_ONCE = 256
"""A chart with its picture takes about 50 ms."""


@dataclass(frozen=True)
class Drawings:
    """Finished drawings of one report."""

    flamegraphs: Mapping[tuple[CellKey, str], Done[FlamegraphAnswer]]
    """By cell and event."""
    diffs: Mapping[DiffKey, Done[DiffAnswer]]
    """Drawn and in words."""
    compared: Mapping[DiffKey, Done[Answer]]
    """What is of no label of them: of the same keys, and of those that could not be drawn."""
    captures: Mapping[tuple[CellKey, str], Done[CapturesAnswer]]
    """By cell and event: the weights of each capture of a profile."""
    charts: Mapping[str, Done[ChartAnswer]]
    """By the address of the chart as a file."""

    @property
    def findings(self) -> FindingsOfDiffs:
        """What changed, by diff."""
        return {key: drawn.result.changes for key, drawn in self.diffs.items()}


def draw(figures: Figures, context: SiteContext) -> tuple[Drawings, list[Problem]]:
    """Draw all graphs and charts of a report that are not in the cache yet.

    Returns:
        The drawings, and why others could not be drawn.
    """
    site = context.identity.base_url  # charts show it
    problems: list[Problem] = []

    def chart_job(planned: PlannedChart) -> Job[ChartRequest]:
        request = planned.request()
        return Job(request.title, msgspec.structs.replace(request, site=site))

    def drawn(
        what: str, script: Path, jobs: Iterable[tuple[Key, Job[Request[A]]]]
    ) -> dict[Key, Done[A]]:
        return draw_all(what, script, jobs, context, problems)

    charts = ((each.svg, chart_job(each)) for each in planned_charts(figures))
    captures = drawn("weights of captures", PROFILE, captures_jobs(figures).items())
    compared = drawn("diffs", FLAMEGRAPH, diff_jobs(figures, overdispersions(captures)).items())
    drawings = Drawings(
        flamegraphs=drawn("flame graphs", FLAMEGRAPH, flamegraph_jobs(figures).items()),
        diffs=drawn("drawings of diffs", FLAMEGRAPH, diff_graph_jobs(figures, compared).items()),
        compared=compared,
        captures=captures,
        charts=drawn("charts", CHARTS, charts),
    )
    return drawings, problems


def draw_all(
    what: str,
    script: Path,
    jobs: Iterable[tuple[Key, Job[Request[A]]]],
    context: SiteContext,
    problems: list[Problem],
) -> dict[Key, Done[A]]:
    """Draw what is not in the cache yet; add why others could not be drawn to the problems."""
    made: dict[Key, Done[A]] = {}
    new = count = 0

    def count_new(done: int, missing: int) -> None:
        nonlocal new
        new += 0 if done else missing
        if len(some) < AT_ONCE:  # else nobody has counted what follows
            pace.show(done, missing)

    pending = iter(jobs)
    at_once = CHARTS_AT_ONCE if script == CHARTS else GRAPHS_AT_ONCE
    while some := dict(islice(pending, AT_ONCE)):
        own = list(some.values())
        pace = Pace(context.progress, f"render {what}")
        outcomes = run_jobs(context.cache, script, own, context.processes, count_new, at_once)
        problems.extend(problem for each in outcomes for problem in each.problems)
        made |= {
            key: each for key, each in zip(some, outcomes, strict=True) if isinstance(each, Done)
        }
        count += len(own)
    context.progress(f"render: {new} of {count} {what} are new")
    return made
