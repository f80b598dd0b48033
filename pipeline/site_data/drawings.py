"""Everything that Node draws for a report: flame graphs, diffs and charts."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from pipeline.build.cache import Cache
from pipeline.node.jobs import Done, Job, run_jobs
from pipeline.node.requests import CHARTS, FLAMEGRAPH
from pipeline.problems import Problem
from pipeline.site_data.cards import card_jobs
from pipeline.site_data.chart_jobs import comparison_jobs
from pipeline.site_data.figures import Figures
from pipeline.site_data.graph_jobs import DiffKey, captures_jobs, diff_jobs, flamegraph_jobs
from pipeline.site_data.over_time import over_time_jobs, over_time_step_jobs
from pipeline.site_data.percentile_charts import percentile_jobs, percentile_step_jobs
from pipeline.site_data.releases_chart import releases_jobs
from pipeline.site_data.timelines import TraceKey, timeline_jobs
from pipeline.study.profiles import CellKey

Key = TypeVar("Key")


@dataclass(frozen=True)
class Drawings:
    """What was drawn, by what it is of."""

    flamegraphs: Mapping[tuple[CellKey, str], Done]
    """By cell and event."""
    diffs: Mapping[DiffKey, Done]
    captures: Mapping[tuple[CellKey, str], Done]
    """By cell and event: what the single captures of a profile weigh."""
    over_time: Mapping[tuple[CellKey, str], Done]
    """By metric, as the cell's page shows it: its own release stands out."""
    over_time_of_step: Mapping[tuple[str, str, str], Done]
    """By variant, step and metric: all releases alike."""
    percentiles: Mapping[CellKey, Done]
    """Percentile curves as the cell's page shows them."""
    percentiles_of_step: Mapping[tuple[str, str], Done]
    """By variant and step: all releases alike."""
    by_release: Mapping[str, Done]
    """By variant: all steps relative to the base."""
    comparisons: Mapping[CellKey, Done]
    """Ratios to the base as the cell's page shows them."""
    timelines: Mapping[TraceKey, Done]
    """Traces of single operations."""
    cards: Mapping[str, Done]
    """What stands for pages where they are linked to, by the address of the page."""


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
        captures=drawn("weights of captures", FLAMEGRAPH, captures_jobs(figures)),
        over_time=drawn("charts", CHARTS, over_time_jobs(figures)),
        over_time_of_step=drawn("charts of steps", CHARTS, over_time_step_jobs(figures)),
        percentiles=drawn("percentile curves", CHARTS, percentile_jobs(figures)),
        percentiles_of_step=drawn(
            "percentile curves of steps", CHARTS, percentile_step_jobs(figures)
        ),
        by_release=drawn("charts of all steps", CHARTS, releases_jobs(figures)),
        comparisons=drawn("comparisons", CHARTS, comparison_jobs(figures)),
        timelines=drawn("timelines", CHARTS, timeline_jobs(figures.study)),
        cards=drawn("cards", CHARTS, card_jobs(figures)),
    )
    return drawings, problems
