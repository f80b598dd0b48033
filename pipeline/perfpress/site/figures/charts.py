"""How a drawn chart is published on its page."""

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import product

from perfpress.analysis.study.profiles import StepKey
from perfpress.base.node.jobs import Done
from perfpress.base.node.messages.charts import ChartAnswer
from perfpress.base.slugs import slug
from perfpress.site.directory import SiteDirectory
from perfpress.site.figures.comparison_charts import step_comparison_chart
from perfpress.site.figures.over_time import step_charts_over_time
from perfpress.site.figures.percentile_charts import step_percentiles_chart
from perfpress.site.figures.planned_chart import ALONE, IN_PAGE, PICTURE, PlannedChart
from perfpress.site.figures.share_links import share_of
from perfpress.site.report_figures import Figures
from perfpress.site.shapes.blocks import Chart
from perfpress.site.words.step_headline import cell_words


@dataclass(frozen=True)
class DrawnCharts:
    """The drawn charts of a report."""

    figures: Figures
    drawn: Mapping[str, Done[ChartAnswer]]
    """By the address of the chart as a file."""
    directory: SiteDirectory
    """Takes the files."""

    def publish(self, planned: PlannedChart | None) -> Chart | None:
        """Write a chart's files and return it for its page; None where it was not drawn."""
        drawn = self.drawn.get(planned.svg) if planned else None
        if planned is None or drawn is None:
            return None
        caption, svg, image = planned.caption, planned.svg, f"{planned.page}{planned.name}.png"
        anchor = planned.anchor or slug(caption)
        words = cell_words(self.figures, planned.cell) if planned.cell else ""
        self.directory.add_download(svg, drawn.artifact(ALONE), "Chart, SVG")
        self.directory.add_download(image, drawn.artifact(PICTURE), "Chart, PNG")
        return Chart(
            id=anchor,
            caption=caption,
            asset=self.directory.add_drawing(svg.strip("/"), drawn.artifact(IN_PAGE)),
            table=planned.table(),
            share=share_of(
                planned.page,
                anchor,
                image,
                (drawn.result.width, drawn.result.height),
                f"{caption}. {words}" if words else caption,
                svg=svg,
                has_embed=planned.has_embed,
            ),
        )


@dataclass(frozen=True)
class StepCharts:
    """The charts of a step in all its releases, or in the newest of many."""

    comparison: Chart | None
    """The releases' ratios to the base: of all releases."""
    throughput: Chart | None
    """Over time."""
    latency: Chart | None
    """Over time."""
    percentiles: Chart | None


def step_charts(charts: DrawnCharts) -> dict[StepKey, StepCharts]:
    """Publish the charts of all steps, by variant and step."""
    figures = charts.figures
    found = {}
    for key in product(figures.study.report.variants, figures.study.report.steps):
        over_time = step_charts_over_time(figures, *key)
        throughput = charts.publish(over_time.pop("throughput", None))
        found[key] = StepCharts(
            comparison=charts.publish(step_comparison_chart(figures, *key)),
            throughput=throughput,
            latency=charts.publish(next(iter(over_time.values()), None)),
            percentiles=charts.publish(step_percentiles_chart(figures, *key)),
        )
    return found
