"""All charts of a report, and their drawing."""

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property, partial
from itertools import chain, islice, product
from types import TracebackType

import msgspec

from perfpress.base.node.jobs import Done, Job, missing_jobs, run_jobs
from perfpress.base.node.messages.charts import ChartAnswer, ChartRequest
from perfpress.base.node.requests import CHARTS, staying_processes
from perfpress.base.problems import Problem
from perfpress.base.workers import Copy
from perfpress.site.context import SiteContext
from perfpress.site.figures.comparison_charts import comparison_chart, step_comparison_chart
from perfpress.site.figures.drawing import CHARTS_AT_ONCE, draw_all
from perfpress.site.figures.over_time import charts_over_time, step_charts_over_time
from perfpress.site.figures.percentile_charts import percentiles_chart, step_percentiles_chart
from perfpress.site.figures.planned_chart import PlannedChart
from perfpress.site.figures.releases_chart import releases_chart
from perfpress.site.figures.timelines import timelines
from perfpress.site.nearby_releases import cells_of_step
from perfpress.site.report_figures import Figures

CHARTS_BESIDE = 512
"""Charts whose numbers stay in memory while they are drawn beside the rest."""


def planned_charts(figures: Figures) -> Iterator[PlannedChart]:
    """Yield all charts of a report."""
    report = figures.study.report
    for variant, step in product(report.variants, report.steps):
        for cell in cells_of_step(figures.study, variant, step):
            if not figures.has_page(cell):
                continue
            comparison, percentiles = (
                comparison_chart(figures, cell),
                percentiles_chart(figures, cell),
            )
            yield from charts_over_time(figures, cell).values()
            yield from filter(None, (comparison, percentiles))
            yield from timelines(figures, cell)
        yield from step_charts_over_time(figures, variant, step).values()
        of_step = (
            step_comparison_chart(figures, variant, step),
            step_percentiles_chart(figures, variant, step),
        )
        yield from filter(None, of_step)
    yield from filter(None, (releases_chart(figures, variant) for variant in report.variants))


class DrawnBeside:
    """The charts of a report, drawn while pages are written that show none; it ends with them.

    A copy of this process has the first ones drawn, and puts them into the cache.
    """

    def __init__(self, figures: Figures, context: SiteContext) -> None:
        """Begin.

        Args:
            figures: of the report.
            context: of the site.
        """
        self._context = context
        self._rest = _chart_jobs(figures, context.identity.base_url)
        self._first = list(islice(self._rest, CHARTS_BESIDE))
        self._problems: list[Problem] = []
        self._new = 0
        self._copy: Copy[None] | None = None
        if context.cache.shared is None:  # else other machines may have drawn them, or will
            missing = missing_jobs(context.cache, CHARTS, [job for _, job in self._first])
            self._new = len(missing)
            if missing:
                self._copy = Copy(partial(_draw_charts, missing, context))

    def __enter__(self) -> "DrawnBeside":
        return self

    def __exit__(
        self,
        error: type[BaseException] | None,
        value: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._copy is not None:
            self._copy.end()

    @cached_property
    def drawn(self) -> Mapping[str, Done[ChartAnswer]]:
        """All charts, by the address of the chart as a file."""
        if self._copy is not None:
            self._copy.wait()
        jobs = chain(self._first, self._rest)
        return draw_all("charts", CHARTS, jobs, self._context, self._problems, self._new)

    @property
    def problems(self) -> list[Problem]:
        """Why others could not be drawn."""
        _ = self.drawn
        return self._problems


def _chart_jobs(figures: Figures, site: str) -> Iterator[tuple[str, Job[ChartRequest]]]:
    """Yield all charts of a report, with the address of the site that they show."""
    for planned in planned_charts(figures):
        request = planned.request()
        yield planned.svg, Job(request.title, msgspec.structs.replace(request, site=site))


def _draw_charts(jobs: Sequence[Job[ChartRequest]], context: SiteContext) -> None:
    with staying_processes():  # of its own
        run_jobs(context.cache, CHARTS, jobs, context.processes, at_once=CHARTS_AT_ONCE)
