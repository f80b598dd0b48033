"""Draws the flame graphs, diffs and charts of a report with Node."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from perfpress.analysis.study.profiles import CellKey
from perfpress.base.node.jobs import Done, Job
from perfpress.base.node.messages.graphs import DiffAnswer, FlamegraphAnswer
from perfpress.base.node.messages.message import Answer, Request
from perfpress.base.node.messages.profiles import CapturesAnswer
from perfpress.base.node.requests import FLAMEGRAPH, PROFILE
from perfpress.base.problems import Problem
from perfpress.site.context import SiteContext
from perfpress.site.figures.chart_drawing import DrawnBeside
from perfpress.site.figures.drawing import draw_all
from perfpress.site.figures.graph_jobs import (
    captures_jobs,
    diff_graph_jobs,
    diff_jobs,
    flamegraph_jobs,
    overdispersions,
)
from perfpress.site.report_figures import DiffKey, Figures
from perfpress.site.tables.diff_findings import FindingsOfDiffs

Key = TypeVar("Key")
A = TypeVar("A", bound=Answer)


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
    charts: DrawnBeside

    @property
    def findings(self) -> FindingsOfDiffs:
        """What changed, by diff."""
        return {key: drawn.result.changes for key, drawn in self.diffs.items()}


def draw(figures: Figures, context: SiteContext) -> tuple[Drawings, list[Problem]]:
    """Draw all graphs of a report that are not in the cache yet, and begin to draw its charts.

    Returns:
        The drawings, and why others could not be drawn.
    """
    problems: list[Problem] = []

    def drawn(
        what: str, script: Path, jobs: Iterable[tuple[Key, Job[Request[A]]]]
    ) -> dict[Key, Done[A]]:
        return draw_all(what, script, jobs, context, problems)

    captures = drawn("weights of captures", PROFILE, captures_jobs(figures).items())
    compared = drawn("diffs", FLAMEGRAPH, diff_jobs(figures, overdispersions(captures)).items())
    drawings = Drawings(
        flamegraphs=drawn("flame graphs", FLAMEGRAPH, flamegraph_jobs(figures).items()),
        diffs=drawn("drawings of diffs", FLAMEGRAPH, diff_graph_jobs(figures, compared).items()),
        compared=compared,
        captures=captures,
        charts=DrawnBeside(figures, context),  # last: no more processes than were asked for
    )
    return drawings, problems
