"""All charts of a report, and their drawing."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property, partial
from itertools import chain, islice, product
from types import TracebackType

import msgspec

from perfpress.analysis.study.profiles import CellKey, StepKey
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

ChartJobs = list[tuple[str, Job[ChartRequest]]]
"""With the addresses of the charts as files."""


def charts_of_logs(figures: Figures) -> Iterator[PlannedChart]:
    """Yield the charts of a report that show what its logs say."""
    for variant, step in _lines(figures):
        for cell in _with_page(figures, variant, step):
            yield from charts_over_time(figures, cell).values()
            yield from filter(None, (percentiles_chart(figures, cell),))
            yield from timelines(figures, cell)
        yield from step_charts_over_time(figures, variant, step).values()
        yield from filter(None, (step_percentiles_chart(figures, variant, step),))


def charts_of_verdicts(figures: Figures) -> Iterator[PlannedChart]:
    """Yield the charts of a report that compare releases."""
    for variant, step in _lines(figures):
        of_cells = (comparison_chart(figures, cell) for cell in _with_page(figures, variant, step))
        yield from filter(None, (*of_cells, step_comparison_chart(figures, variant, step)))
    of_variants = (releases_chart(figures, each) for each in figures.study.report.variants)
    yield from filter(None, of_variants)


def _lines(figures: Figures) -> Iterable[StepKey]:
    return product(figures.study.report.variants, figures.study.report.steps)


def _with_page(figures: Figures, variant: str, step: str) -> Iterator[CellKey]:
    return filter(figures.has_page, cells_of_step(figures.study, variant, step))


class DrawnBeside:
    """The charts of a report, drawn while others are planned, and pages written that show none.

    Copies of this process have the first ones drawn, and put them into the cache. They end with it.
    """

    def __init__(self, figures: Figures, context: SiteContext) -> None:
        """Begin.

        Args:
            figures: of the report.
            context: of the site.
        """
        self._context = context
        self._first: ChartJobs = []
        self._rest: list[Iterator[tuple[str, Job[ChartRequest]]]] = []
        self._problems: list[Problem] = []
        self._new = 0
        self._copies: list[Copy[None]] = []
        # Those of logs are drawn before there are verdicts.
        for planned in (charts_of_logs(figures), charts_of_verdicts(figures)):
            jobs = _chart_jobs(planned, context.identity.base_url)
            some = list(islice(jobs, CHARTS_BESIDE - len(self._first)))
            self._first += some
            self._rest.append(jobs)
            if context.cache.shared is None:  # else other machines may have drawn them, or will
                self._begin([job for _, job in some])

    def _begin(self, jobs: Sequence[Job[ChartRequest]]) -> None:
        missing = missing_jobs(self._context.cache, CHARTS, jobs)
        self._new += len(missing)
        if missing:
            self._copies.append(Copy(partial(_draw_charts, missing, self._context)))

    def __enter__(self) -> "DrawnBeside":
        return self

    def __exit__(
        self,
        error: type[BaseException] | None,
        value: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        for copy in self._copies:
            copy.end()

    @cached_property
    def drawn(self) -> Mapping[str, Done[ChartAnswer]]:
        """All charts, by the address of the chart as a file."""
        for copy in self._copies:
            copy.wait()
        jobs = chain(self._first, *self._rest)
        return draw_all("charts", CHARTS, jobs, self._context, self._problems, self._new)

    @property
    def problems(self) -> list[Problem]:
        """Why others could not be drawn."""
        _ = self.drawn
        return self._problems


def _chart_jobs(
    planned: Iterable[PlannedChart], site: str
) -> Iterator[tuple[str, Job[ChartRequest]]]:
    """Yield the jobs of charts, with the address of the site that they show."""
    for each in planned:
        request = each.request()
        yield each.svg, Job(request.title, msgspec.structs.replace(request, site=site))


def _draw_charts(jobs: Sequence[Job[ChartRequest]], context: SiteContext) -> None:
    processes = context.processes - 1  # this one is a copy of one that goes on
    with staying_processes():  # of its own
        run_jobs(context.cache, CHARTS, jobs, processes, at_once=CHARTS_AT_ONCE)
