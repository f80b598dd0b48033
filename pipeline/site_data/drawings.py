"""Everything that Node draws for a report: flame graphs, diffs and charts."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from pipeline.cache import Cache
from pipeline.jobs import Done, Job, run_jobs
from pipeline.node import CHARTS, FLAMEGRAPH
from pipeline.problems import Problem
from pipeline.profiles import CellKey
from pipeline.site_data.chart_jobs import comparison_jobs
from pipeline.site_data.figures import Figures
from pipeline.site_data.graph_jobs import DiffKey, diff_jobs, flamegraph_jobs
from pipeline.site_data.over_time import over_time_jobs, over_time_step_jobs
from pipeline.site_data.timelines import TraceKey, timeline_jobs

Key = TypeVar("Key")


@dataclass(frozen=True)
class Drawings:
    """What was drawn, by what it is of."""

    flamegraphs: Mapping[tuple[CellKey, str], Done]
    """By cell and event."""
    diffs: Mapping[DiffKey, Done]
    over_time: Mapping[tuple[CellKey, str], Done]
    """By metric, as the cell's page shows it: its own release stands out."""
    over_time_of_step: Mapping[tuple[str, str, str], Done]
    """By variant, step and metric: all releases alike."""
    comparisons: Mapping[CellKey, Done]
    """Ratios to the base as the cell's page shows them."""
    timelines: Mapping[TraceKey, Done]
    """Traces of single operations."""


def draw(
    figures: Figures, cache: Cache, processes: int, tell: Callable[[str], None]
) -> tuple[Drawings, list[Problem]]:
    """Draw what is not in the cache yet; what cannot be drawn is told as problems."""
    problems: list[Problem] = []

    def drawn(what: str, script: Path, jobs: Mapping[Key, Job]) -> dict[Key, Done]:
        outcomes = run_jobs(
            cache,
            script,
            list(jobs.values()),
            processes,
            lambda missing: tell(f"render: {missing} of {len(jobs)} {what} are new"),
        )
        problems.extend(problem for each in outcomes for problem in each.problems)
        return {
            key: each for key, each in zip(jobs, outcomes, strict=True) if isinstance(each, Done)
        }

    drawings = Drawings(
        flamegraphs=drawn("flame graphs", FLAMEGRAPH, flamegraph_jobs(figures)),
        diffs=drawn("diffs", FLAMEGRAPH, diff_jobs(figures)),
        over_time=drawn("charts", CHARTS, over_time_jobs(figures)),
        over_time_of_step=drawn("charts of steps", CHARTS, over_time_step_jobs(figures)),
        comparisons=drawn("comparisons", CHARTS, comparison_jobs(figures)),
        timelines=drawn("timelines", CHARTS, timeline_jobs(figures.study)),
    )
    return drawings, problems
