"""Makes what several pages of one report show, once."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import msgspec

from perfpress.analysis.profiles.relative_cost import overruled_rates
from perfpress.analysis.study.profiles import CellKey, StepKey
from perfpress.analysis.study.study import Study
from perfpress.base.problems import Problem
from perfpress.input.report.report import Report
from perfpress.site.addresses import variant_address
from perfpress.site.directory import SiteDirectory
from perfpress.site.figures.charts import DrawnCharts, StepCharts, step_charts
from perfpress.site.figures.drawings import Drawings
from perfpress.site.figures.graph_jobs import diffs_by_cell
from perfpress.site.figures.graphs import diff_graph, flame_graph
from perfpress.site.figures.releases_chart import releases_chart
from perfpress.site.figures.timelines import timelines
from perfpress.site.report_figures import DiffKey, Figures
from perfpress.site.shapes.blocks import CallTree, Chart, Drilldown, Graph, Sentence, Table
from perfpress.site.tables.call_trees import calltrees
from perfpress.site.tables.diff_findings import FindingsOfDiffs
from perfpress.site.tables.drilldowns import WeighedDrilldowns, drilldowns, weighed_drilldowns
from perfpress.site.tables.frame_links import FrameLinks
from perfpress.site.tables.results import results_table
from perfpress.site.tables.throughput import base_values
from perfpress.site.tables.top_functions import TopFunctions, top_functions, top_functions_table
from perfpress.site.words.common_functions import CommonFunctions, common_functions
from perfpress.site.words.function_changes import step_change_sentences, where_time_went
from perfpress.site.words.measured import cells_have_rates


@dataclass(frozen=True)
class ReportParts:
    """Tables, graphs and charts of a report; each page picks what it shows."""

    figures: Figures
    drawings: Drawings
    directory: SiteDirectory
    """Takes the files for download."""
    links: FrameLinks
    """Links from table cells to frames of graphs."""
    weighed: WeighedDrilldowns
    drilldowns: Mapping[tuple[str, StepKey], Drilldown]
    """By name and step, of the variants that the text shows."""
    calltrees: Mapping[tuple[str, StepKey], CallTree]
    """By name and step, of the variants that the text shows."""
    graphs: Mapping[CellKey, tuple[Graph, ...]]
    """One an event; those of CPU time come first."""
    diffs: Mapping[DiffKey, Graph]
    findings: FindingsOfDiffs
    """By diff."""
    common_functions: CommonFunctions
    """By level change of throughput that has one."""
    top_functions: Mapping[StepKey, TopFunctions]
    """By variant and step that has profiles and no rates."""
    base_values: Mapping[str, str]
    """By variant: the address of the values behind its ratios."""

    @cached_property
    def drawn_charts(self) -> DrawnCharts:
        """All charts: whoever asks first waits for them."""
        return DrawnCharts(self.figures, self.drawings.charts.drawn, self.directory)

    @cached_property
    def charts(self) -> Mapping[StepKey, StepCharts]:
        """By variant and step."""
        return step_charts(self.drawn_charts)

    @cached_property
    def by_release(self) -> Mapping[str, Chart]:
        """By variant, the default one first: all steps relative to the base."""
        charts = {
            variant: self.drawn_charts.publish(releases_chart(self.figures, variant))
            for variant in self.report.variants
        }
        return {variant: chart for variant, chart in charts.items() if chart}

    @cached_property
    def traces(self) -> Mapping[CellKey, tuple[Chart, ...]]:
        """Timelines of single operations."""
        publish = self.drawn_charts.publish
        return {
            cell: tuple(filter(None, map(publish, timelines(self.figures, cell))))
            for cell in sorted({each.cell for each in self.study.step_runs})
        }

    @property
    def study(self) -> Study:
        """The report with its runs."""
        return self.figures.study

    def functions_table(
        self,
        variant: str,
        steps: Collection[str] | None = None,
        releases: Collection[str] | None = None,
    ) -> Table | None:
        """Return the top functions of a variant's steps without rates; None without any.

        Args:
            variant: its slug.
            steps: those to show; None for all.
            releases: those to show; None for all.
        """
        found = (
            each
            for (of, step), each in self.top_functions.items()
            if of == variant and (steps is None or step in steps)
        )
        return top_functions_table(self.figures, self.links, found, releases)

    def results(self, cells: Sequence[CellKey], current: str | None) -> Table | None:
        """Return what a step's pages open with: rates, else top functions; None without both.

        Args:
            cells: one a release, at least one.
            current: the release whose page it is on.
        """
        if cells_have_rates(self.figures, cells):
            return results_table(self.figures, cells, current)
        releases = [cell.release for cell in cells]
        return self.functions_table(cells[0].variant, [cells[0].step], releases)

    def opening(
        self, cell: CellKey, headline: Callable[[Figures, CellKey], Sentence]
    ) -> tuple[Sentence, ...]:
        """Return a headline and where the time went.

        Where no log has a rate: how cost or functions' shares changed, if that is known.
        """
        key = DiffKey(cell, self.figures.profile_base(cell))
        has_rates = cell.step_key not in self.top_functions
        shares = () if has_rates else step_change_sentences(self.figures, self.findings, key)
        return shares or (
            headline(self.figures, cell),
            *where_time_went(self.figures, self.findings, key),
        )

    @property
    def report(self) -> Report:
        """The author's choices."""
        return self.figures.study.report


def report_parts(
    figures: Figures, drawings: Drawings, directory: SiteDirectory
) -> tuple[ReportParts, list[Problem]]:
    """Make the shared parts, and publish their files.

    Returns:
        The parts, and the problems in the author's definitions.
    """
    study = figures.study
    links = FrameLinks(
        figures, drawings.flamegraphs.keys(), diffs_by_cell(drawings.diffs), directory
    )
    weighed, problems = weighed_drilldowns(figures)
    problems += overruled_rates(study)
    trees, wrong = calltrees(figures, links)
    graphs = {
        cell: tuple(
            flame_graph(figures, cell, made, drawn, directory)
            for made in profiles
            if (drawn := drawings.flamegraphs.get((cell, made.event))) is not None
        )
        for cell, profiles in study.profiles.items()
    }
    diffs = {
        key: diff_graph(figures, key, drawings.compared[key], drawn, directory)
        for key, drawn in drawings.diffs.items()
    }
    findings = drawings.findings
    parts = ReportParts(
        figures=figures,
        drawings=drawings,
        directory=directory,
        links=links,
        weighed=weighed,
        drilldowns=drilldowns(figures, weighed, links),
        calltrees=trees,
        graphs=graphs,
        diffs=diffs,
        findings=findings,
        common_functions=common_functions(figures, findings),
        top_functions=top_functions(figures, findings),
        base_values={
            variant: _publish_base_values(figures, variant, directory)
            for variant in study.report.variants
        },
    )
    return parts, [*problems, *wrong]


def _publish_base_values(figures: Figures, variant: str, directory: SiteDirectory) -> str:
    address = f"{variant_address(figures.study.report, variant)}values.json"
    content = msgspec.json.encode(base_values(figures, variant))
    return directory.write_download(address, content, "Medians, JSON").url
