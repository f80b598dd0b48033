"""Shortcodes of steps over all releases: tables, charts, drilldowns and call trees."""

from collections.abc import Callable, Mapping, Sequence
from typing import TypeVar

from perfpress.input.report.front_matter import CallTreeDefinition, DrilldownDefinition
from perfpress.site.figures.charts import StepCharts
from perfpress.site.report_parts import ReportParts
from perfpress.site.shapes.blocks import CallTree, Chart, Drilldown, Table
from perfpress.site.shapes.site import ShortcodeArgument
from perfpress.site.shortcodes.mentioned import Mentioned
from perfpress.site.shortcodes.shortcode import STEP, Example, Found, Shortcode
from perfpress.site.tables.throughput import relative_tables, throughput_table

Block = TypeVar("Block", Table, Chart)

TABLE = ShortcodeArgument(name="table", is_optional=True)
CHART = ShortcodeArgument(name="chart", is_optional=True)
NAME = ShortcodeArgument(name="name")
VIEW = ShortcodeArgument(name="view", choices=("path", "profile"))


def _by_id(blocks: Sequence[Block]) -> dict[str, Block]:
    """Return tables or charts by their ids; the first one without a name too."""
    return {"": blocks[0], **{each.id: each for each in blocks}}


def _throughput(parts: ReportParts, _: Mentioned) -> Found:
    return _by_id([throughput_table(parts.figures, each) for each in parts.report.variants])


def _relative(parts: ReportParts, _: Mentioned) -> Found:
    return _by_id(
        [
            table
            for variant in parts.report.variants
            for table in relative_tables(parts.figures, variant, parts.base_values[variant])
        ]
    )


def _releases(parts: ReportParts, _: Mentioned) -> Found:
    charts = tuple(parts.by_release.values())
    return _by_id(charts) if charts else {"": "no two releases of a step can be compared"}


def _chart_of_step(
    chosen: Callable[[StepCharts], Chart | None], what: str
) -> Callable[[ReportParts, Mentioned], Found]:
    def find(parts: ReportParts, mentioned: Mentioned) -> Found:
        return {
            step: chosen(parts.charts[mentioned.variant, step])
            or f"no valid log of {step} has {what}"
            for step in mentioned.steps
        }

    return find


def _steps(parts: ReportParts) -> Sequence[str]:
    return parts.report.steps


def _drilldowns(parts: ReportParts, mentioned: Mentioned) -> Found:
    return _defined(parts.report.drilldowns, parts.drilldowns, mentioned)


def _calltrees(parts: ReportParts, mentioned: Mentioned) -> Found:
    return _defined(parts.report.calltrees, parts.calltrees, mentioned)


def _defined(
    definitions: Sequence[DrilldownDefinition] | Sequence[CallTreeDefinition],
    made: Mapping[tuple[str, str], Drilldown] | Mapping[tuple[str, str], CallTree],
    mentioned: Mentioned,
) -> Found:
    """Return what the author defined: by its name alone for the first step, or with any step."""
    found: dict[str, Drilldown | CallTree | str] = {}
    for (name, step), each in made.items():
        if name in mentioned.names:
            found.setdefault(name, each)
            if step in mentioned.steps:
                found[f"{name}/{step}"] = each
    for definition in definitions:
        own = definition.name
        for name in (own, *(f"{own}/{step}" for step in mentioned.steps)):
            found.setdefault(name, f"no profile for {definition.title or own}")
    return found


OF_STEPS = (
    Shortcode(
        name="throughput",
        arguments=(TABLE,),
        renders="table",
        find=_throughput,
        examples=(
            Example(
                (),
                "the [median rates](/docs/tables/): a row for each step, a column for each release",
            ),
        ),
    ),
    Shortcode(
        name="relative",
        arguments=(TABLE,),
        renders="table",
        find=_relative,
        examples=(Example((), "the same relative to the base"),),
    ),
    Shortcode(
        name="releases",
        arguments=(CHART,),
        renders="chart",
        find=_releases,
        examples=(
            Example(
                (), "a [chart](/docs/charts/): all steps relative to the base, release by release"
            ),
        ),
    ),
    Shortcode(
        name="chart",
        arguments=(STEP,),
        renders="chart",
        find=_chart_of_step(lambda charts: charts.throughput, "its throughput over time"),
        names=_steps,
        examples=(
            Example(
                ("select",),
                "throughput over time of one step, all releases on one scale; of more than twelve "
                "the base and the newest",
            ),
        ),
    ),
    Shortcode(
        name="latency",
        arguments=(STEP,),
        renders="chart",
        find=_chart_of_step(lambda charts: charts.latency, "its latency over time"),
        names=_steps,
        examples=(Example(("select",), "its latency over time"),),
    ),
    Shortcode(
        name="percentiles",
        arguments=(STEP,),
        renders="chart",
        find=_chart_of_step(lambda charts: charts.percentiles, "two percentiles of its latency"),
        names=_steps,
        examples=(Example(("select",), "its percentile curves of latency"),),
    ),
    Shortcode(
        name="drilldown",
        arguments=(NAME, VIEW),
        renders="drilldown",
        find=_drilldowns,
        names=lambda parts: [each.name for each in parts.report.drilldowns],
        examples=(
            Example(("reading",), "a drilldown, in both views"),
            Example(("reading", "path"), "one view: `path` or `profile`"),
        ),
    ),
    Shortcode(
        name="calltree",
        arguments=(NAME,),
        renders="calltree",
        find=_calltrees,
        names=lambda parts: [each.name for each in parts.report.calltrees],
        examples=(
            Example(("executing",), "a call tree, see [Drilldowns](/docs/drilldowns/#calltrees)"),
        ),
    ),
)
