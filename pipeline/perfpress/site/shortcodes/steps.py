"""Shortcodes of steps over all releases: tables, charts, drilldowns and call trees."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TypeVar

from perfpress.analysis.study.profiles import StepKey
from perfpress.input.report.front_matter import CallTreeDefinition, DrilldownDefinition
from perfpress.site.figures.charts import StepCharts
from perfpress.site.figures.releases_chart import by_release_id
from perfpress.site.nearby_releases import newest_of_drilldown
from perfpress.site.report_parts import ReportParts
from perfpress.site.shapes.blocks import CallTree, Chart, Drilldown, Table
from perfpress.site.shapes.pages import ShortcodeContent
from perfpress.site.shortcodes.mentioned import Mentioned
from perfpress.site.shortcodes.shortcode import Example, FoundByName, Shortcode
from perfpress.site.tables.throughput import relative_tables, throughput_table
from perfpress.site.words.measured import why_none_counts

Block = TypeVar("Block", Table, Chart)


def _by_id(
    parts: ReportParts, blocks: Mapping[str, Sequence[Block]], mentioned: Mentioned
) -> dict[str, Block]:
    """Return tables or charts by their ids; without a name the first of the variant too.

    Ids end with the variant, also under the names of before variants became one. A text that asks
    for another variant than the default one finds the tables of that variant only.
    """
    named = {"": blocks[mentioned.variant][0]} if blocks.get(mentioned.variant) else {}
    for name, variant in _variants_by_name(parts, mentioned):
        for each in blocks.get(variant, ()):
            named[each.id.removesuffix(variant) + name] = each
    return named


def _variants_by_name(parts: ReportParts, mentioned: Mentioned) -> Iterator[tuple[str, str]]:
    """Yield the variants whose tables can be named, after all names that they have or had."""
    report = parts.report
    for name in dict.fromkeys((*report.variants, *report.same_configs.variants)):
        variant = report.same_configs.variant_slug(name)
        if mentioned.variant in (report.default_variant, variant):
            yield name, variant


def _throughput(parts: ReportParts, mentioned: Mentioned) -> FoundByName:
    tables = {each: [throughput_table(parts.figures, each)] for each in parts.report.variants}
    return _by_id(parts, tables, mentioned)


def _relative(parts: ReportParts, mentioned: Mentioned) -> FoundByName:
    tables = {
        variant: relative_tables(parts.figures, variant, parts.base_values[variant])
        for variant in parts.report.variants
    }
    return _by_id(parts, tables, mentioned)


def _releases(parts: ReportParts, mentioned: Mentioned) -> FoundByName:
    charts = {variant: [chart] for variant, chart in parts.by_release.items()}
    names = ("", *(by_release_id(name) for name, _ in _variants_by_name(parts, mentioned)))
    reasons = dict.fromkeys(names, "no two releases of a step can be compared")
    return {**reasons, **_by_id(parts, charts, mentioned)}


def _chart_of_step(
    chosen: Callable[[StepCharts], Chart | None], what: str
) -> Callable[[ReportParts, Mentioned], FoundByName]:
    def find(parts: ReportParts, mentioned: Mentioned) -> FoundByName:
        found: dict[str, ShortcodeContent | str] = {}
        for step in mentioned.steps:
            charts = parts.charts.get((mentioned.variant, step))
            reason = _why_none_counts(parts, mentioned.variant, step)
            found[step] = (
                chosen(charts) if charts else None
            ) or f"no valid log of {step} has {what}{reason}"
        return found

    return find


def _why_none_counts(parts: ReportParts, variant: str, *steps: str) -> str:
    """Return why no run of some steps counts, in any release; empty where one does."""
    return why_none_counts(
        each
        for each in parts.study.step_runs
        if each.cell.variant == variant and each.cell.step in steps
    )


def _steps(parts: ReportParts) -> Sequence[str]:
    return parts.report.steps


def _drilldowns(parts: ReportParts, mentioned: Mentioned) -> FoundByName:
    made = {
        (name, step): newest_of_drilldown(parts.study, step, each)
        for (name, step), each in parts.drilldowns.items()
    }
    return _defined(parts, parts.report.matter.drilldowns, made, mentioned)


def _calltrees(parts: ReportParts, mentioned: Mentioned) -> FoundByName:
    return _defined(parts, parts.report.matter.calltrees, parts.calltrees, mentioned)


def _defined(
    parts: ReportParts,
    definitions: Sequence[DrilldownDefinition] | Sequence[CallTreeDefinition],
    made: Mapping[tuple[str, StepKey], Drilldown] | Mapping[tuple[str, StepKey], CallTree],
    mentioned: Mentioned,
) -> FoundByName:
    """Return what the author defined: by its name alone for the first step, or with any step."""
    found: dict[str, Drilldown | CallTree | str] = {}
    for (name, (variant, step)), each in made.items():
        if variant == mentioned.variant and name in mentioned.names:
            found.setdefault(name, each)
            if step in mentioned.steps:
                found[f"{name}/{step}"] = each
    for definition in definitions:
        own, nothing = definition.name, f"no profile for {definition.title or definition.name}"
        steps = definition.steps or parts.report.steps
        found.setdefault(own, nothing + _why_none_counts(parts, mentioned.variant, *steps))
        for step in mentioned.steps:
            reason = _why_none_counts(parts, mentioned.variant, step)
            found.setdefault(f"{own}/{step}", nothing + reason)
    return found


OF_STEPS = (
    Shortcode(
        name="throughput",
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
        renders="table",
        find=_relative,
        examples=(Example((), "the same relative to the base"),),
    ),
    Shortcode(
        name="releases",
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
        renders="chart",
        find=_chart_of_step(lambda charts: charts.latency, "its latency over time"),
        names=_steps,
        examples=(Example(("select",), "its latency over time"),),
    ),
    Shortcode(
        name="percentiles",
        renders="chart",
        find=_chart_of_step(lambda charts: charts.percentiles, "two percentiles of its latency"),
        names=_steps,
        examples=(Example(("select",), "its percentile curves of latency"),),
    ),
    Shortcode(
        name="drilldown",
        renders="drilldown",
        find=_drilldowns,
        names=lambda parts: [each.name for each in parts.report.matter.drilldowns],
        examples=(
            Example(("reading",), "a drilldown, in both views"),
            Example(("reading", "path"), "one view: `path` or `profile`"),
        ),
    ),
    Shortcode(
        name="calltree",
        renders="calltree",
        find=_calltrees,
        names=lambda parts: [each.name for each in parts.report.matter.calltrees],
        examples=(
            Example(("executing",), "a call tree, see [Drilldowns](/docs/drilldowns/#calltrees)"),
        ),
    ),
)
