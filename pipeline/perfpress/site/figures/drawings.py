"""Draws the flame graphs, diffs and charts of a report with Node."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from typing import TypeVar

import msgspec

from perfpress.analysis.study.profiles import CellKey, StepKey
from perfpress.base.node.jobs import Done, Job, run_jobs
from perfpress.base.node.messages.charts import ChartAnswer, TableCardAnswer
from perfpress.base.node.messages.graphs import DiffAnswer, FlamegraphAnswer
from perfpress.base.node.messages.message import Answer, Request
from perfpress.base.node.messages.profiles import CapturesAnswer
from perfpress.base.node.requests import CHARTS, FLAMEGRAPH, PROFILE
from perfpress.base.problems import Problem
from perfpress.site.context import SiteContext
from perfpress.site.figures.cards import card_jobs
from perfpress.site.figures.chart_files import ChartJob
from perfpress.site.figures.comparison_charts import comparison_jobs, comparison_step_jobs
from perfpress.site.figures.graph_jobs import (
    captures_jobs,
    diff_jobs,
    flamegraph_jobs,
    overdispersions,
)
from perfpress.site.figures.over_time import over_time_jobs, over_time_step_jobs
from perfpress.site.figures.percentile_charts import percentile_jobs, percentile_step_jobs
from perfpress.site.figures.releases_chart import releases_jobs
from perfpress.site.figures.timelines import TraceKey, timeline_jobs
from perfpress.site.report_figures import DiffKey, Figures

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
    captures: Mapping[tuple[CellKey, str], Done[CapturesAnswer]]
    """By cell and event: the weights of each capture of a profile."""
    over_time: Mapping[tuple[CellKey, str], Done[ChartAnswer]]
    """By metric, as the cell's page shows it: with its own release highlighted."""
    over_time_of_step: Mapping[tuple[str, str, str], Done[ChartAnswer]]
    """By variant, step and metric: all releases alike."""
    percentiles: Mapping[CellKey, Done[ChartAnswer]]
    """Percentile curves as the cell's page shows them."""
    percentiles_of_step: Mapping[StepKey, Done[ChartAnswer]]
    """By variant and step: all releases alike."""
    by_release: Mapping[str, Done[ChartAnswer]]
    """By variant: all steps relative to the base."""
    comparisons: Mapping[CellKey, Done[ChartAnswer]]
    """Ratios to the base as the cell's page shows them."""
    comparisons_of_step: Mapping[StepKey, Done[ChartAnswer]]
    """By variant and step: all releases alike."""
    timelines: Mapping[TraceKey, Done[ChartAnswer]]
    """Traces of single operations."""
    cards: Mapping[str, Done[TableCardAnswer]]
    """Link previews, by the address of the page."""


def draw(figures: Figures, context: SiteContext) -> tuple[Drawings, list[Problem]]:
    """Draw everything of a report that is not in the cache yet.

    Returns:
        The drawings, and why others could not be drawn.
    """
    site = context.identity.base_url  # charts show it
    problems: list[Problem] = []

    def drawn(
        what: str, script: Path, jobs: Iterable[tuple[Key, Job[Request[A]]]]
    ) -> dict[Key, Done[A]]:
        made: dict[Key, Done[A]] = {}
        missing: list[int] = []
        count = 0
        pending = iter(jobs)
        while some := dict(islice(pending, AT_ONCE)):
            own = list(some.values())
            at_once = CHARTS_AT_ONCE if script == CHARTS else GRAPHS_AT_ONCE
            outcomes = run_jobs(
                context.cache, script, own, context.processes, missing.append, at_once
            )
            problems.extend(problem for each in outcomes for problem in each.problems)
            made |= {
                key: each
                for key, each in zip(some, outcomes, strict=True)
                if isinstance(each, Done)
            }
            count += len(own)
        context.progress(f"render: {sum(missing)} of {count} {what} are new")
        return made

    def charts(what: str, jobs: Iterable[tuple[Key, ChartJob]]) -> dict[Key, Done[ChartAnswer]]:
        placed = (
            (key, replace(job, request=msgspec.structs.replace(job.request, site=site)))
            for key, job in jobs
        )
        return drawn(what, CHARTS, placed)

    captures = drawn("weights of captures", PROFILE, captures_jobs(figures).items())
    diffs = diff_jobs(figures, overdispersions(captures))
    drawings = Drawings(
        flamegraphs=drawn("flame graphs", FLAMEGRAPH, flamegraph_jobs(figures).items()),
        diffs=drawn("diffs", FLAMEGRAPH, diffs.items()),
        captures=captures,
        over_time=charts("charts", over_time_jobs(figures)),
        over_time_of_step=charts("charts of steps", over_time_step_jobs(figures)),
        percentiles=charts("percentile curves", percentile_jobs(figures)),
        percentiles_of_step=charts("percentile curves of steps", percentile_step_jobs(figures)),
        by_release=charts("charts of all steps", releases_jobs(figures).items()),
        comparisons=charts("comparisons", comparison_jobs(figures)),
        comparisons_of_step=charts("comparisons of steps", comparison_step_jobs(figures)),
        timelines=charts("timelines", timeline_jobs(figures.study).items()),
        cards=drawn("cards", CHARTS, card_jobs(figures).items()),
    )
    return drawings, problems
