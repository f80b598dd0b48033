"""Everything that Node draws for a report: flame graphs, diffs and charts."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from typing import TypeVar

from pipeline.build.cache import Cache
from pipeline.node.jobs import Done, Job, run_jobs
from pipeline.node.requests import CHARTS, FLAMEGRAPH
from pipeline.problems import Problem
from pipeline.site_data.card_jobs import card_jobs
from pipeline.site_data.chart_jobs import comparison_jobs, comparison_step_jobs
from pipeline.site_data.figures import Figures
from pipeline.site_data.graph_jobs import DiffKey, captures_jobs, diff_jobs, flamegraph_jobs
from pipeline.site_data.over_time import over_time_jobs, over_time_step_jobs
from pipeline.site_data.percentile_charts import percentile_jobs, percentile_step_jobs
from pipeline.site_data.releases_chart import releases_jobs
from pipeline.site_data.timelines import TraceKey, timeline_jobs
from pipeline.study.profiles import CellKey

Key = TypeVar("Key")

AT_ONCE = 4096
"""Jobs that are held at a time: their requests hold all numbers of a drawing."""
GRAPHS_AT_ONCE = 16
"""Jobs of a process, after which what it made is kept: a graph takes a second."""
CHARTS_AT_ONCE = 256
"""A chart with its picture takes some fifty milliseconds."""


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
    comparisons_of_step: Mapping[tuple[str, str], Done]
    """By variant and step: all releases alike."""
    timelines: Mapping[TraceKey, Done]
    """Traces of single operations."""
    cards: Mapping[str, Done]
    """What stands for pages where they are linked to, by the address of the page."""


def draw(
    figures: Figures, site: str, cache: Cache, processes: int, tell: Callable[[str], None]
) -> tuple[Drawings, list[Problem]]:
    """Draw what is not in the cache yet; what cannot be drawn is told as problems.

    Args:
        figures: of the report.
        site: where the site stands, which charts tell; with a slash at its end.
        cache: holds what was drawn before.
        processes: how many to draw with.
        tell: hears how much there is to draw.
    """
    problems: list[Problem] = []

    def drawn(what: str, script: Path, jobs: Iterable[tuple[Key, Job]]) -> dict[Key, Done]:
        made: dict[Key, Done] = {}
        missing: list[int] = []
        count = 0
        pending = iter(jobs)
        while some := dict(islice(pending, AT_ONCE)):
            own = list(some.values())
            at_once = CHARTS_AT_ONCE if script == CHARTS else GRAPHS_AT_ONCE
            outcomes = run_jobs(cache, script, own, processes, missing.append, at_once)
            problems.extend(problem for each in outcomes for problem in each.problems)
            made |= {
                key: each
                for key, each in zip(some, outcomes, strict=True)
                if isinstance(each, Done)
            }
            count += len(own)
        tell(f"render: {sum(missing)} of {count} {what} are new")
        return made

    def charts(what: str, jobs: Iterable[tuple[Key, Job]]) -> dict[Key, Done]:
        placed = ((key, replace(job, request={**job.request, "site": site})) for key, job in jobs)
        return drawn(what, CHARTS, placed)

    drawings = Drawings(
        flamegraphs=drawn("flame graphs", FLAMEGRAPH, flamegraph_jobs(figures).items()),
        diffs=drawn("diffs", FLAMEGRAPH, diff_jobs(figures).items()),
        captures=drawn("weights of captures", FLAMEGRAPH, captures_jobs(figures).items()),
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
