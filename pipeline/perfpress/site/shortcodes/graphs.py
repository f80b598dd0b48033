"""Shortcodes of drawings of single releases: flame graphs, diffs and timelines."""

from collections.abc import Iterator, Sequence

import msgspec

from perfpress.analysis.study.profiles import CellKey
from perfpress.base.display import plural
from perfpress.base.slugs import slug
from perfpress.site.figures.timelines import traces_of
from perfpress.site.report_figures import DiffKey
from perfpress.site.report_parts import ReportParts
from perfpress.site.shapes.blocks import Chart
from perfpress.site.shapes.pages import ShortcodeContent
from perfpress.site.shortcodes.mentioned import Mentioned
from perfpress.site.shortcodes.shortcode import (
    Example,
    FoundByName,
    Shortcode,
)
from perfpress.site.words.measured import why_one_lacks


def default_cells(parts: ReportParts) -> dict[str, CellKey]:
    """Return the measured cells of the default variant, by `<release>/<step>`."""
    return {
        f"{cell.release}/{cell.step}": cell
        for cell in parts.study.cells
        if cell.variant == parts.report.default_variant
    }


def diff_names(parts: ReportParts) -> list[str]:
    """Return the names of all diffs of the default variant: `<release>/<step>/vs/<base>`."""
    return [
        f"{key.cell.release}/{key.cell.step}/vs/{key.base}"
        for key in parts.diffs
        if key.cell.variant == parts.report.default_variant
    ]


def _graphs(parts: ReportParts, mentioned: Mentioned) -> FoundByName:
    """Return the first graph of each cell, by `<release>/<step>`."""
    found: dict[str, ShortcodeContent | str] = {}
    for cell in mentioned.cells:
        graphs = parts.graphs.get(cell)
        label = parts.study.label(cell.release)
        found[f"{cell.release}/{cell.step}"] = (
            graphs[0]
            if graphs
            else f"no profile of {cell.step} on {label}{why_one_lacks(parts.study, cell)}"
        )
    return found


def _diffs(parts: ReportParts, mentioned: Mentioned) -> FoundByName:
    label = parts.study.label
    return {
        f"{cell.release}/{cell.step}/vs/{base}": parts.diffs.get(DiffKey(cell, base))
        or (
            f"no diff of {cell.step}, {label(cell.release)} against {label(base)}: a profile is "
            "missing, or the pair is neither with the base, nor with the release before, nor "
            f"under diffs{why_one_lacks(parts.study, cell, cell.in_release(base))}"
        )
        for cell in mentioned.cells
        for base in mentioned.releases
        if base != cell.release
    }


def _traces(parts: ReportParts, mentioned: Mentioned) -> FoundByName:
    """Return timelines by `<release>/<step>/<number>`; the first by `<release>/<step>` too."""
    found: dict[str, ShortcodeContent | str] = {}
    for cell in mentioned.cells:
        name = f"{cell.release}/{cell.step}"
        traces = parts.traces.get(cell, ())
        charts = [_under_own_ids(each, slug(f"{cell.release}-{cell.step}")) for each in traces]
        label = parts.study.label(cell.release)
        found[name] = (
            charts[0]
            if charts
            else f"no log of {cell.step} on {label} holds a trace{why_one_lacks(parts.study, cell)}"
        )
        # New runs may hold fewer traces than those that the text was written for.
        for number in filter(str.isdigit, mentioned.names.arguments):
            few = f"{plural(len(charts), 'trace')} of {cell.step} on {label}"
            found[f"{name}/{number}"] = f"{few}{why_one_lacks(parts.study, cell)}"
        found |= {f"{name}/{number}": each for number, each in enumerate(charts, start=1)}
    return found


def _under_own_ids(chart: Chart, prefix: str) -> Chart:
    """Return a chart whose ids are unique among those of all steps."""
    replace = msgspec.structs.replace
    table = replace(chart.table, id=f"{prefix}-{chart.table.id}") if chart.table else None
    return replace(chart, id=f"{prefix}-{chart.id}", table=table)


def _names_with_profiles(parts: ReportParts) -> Iterator[str]:
    return (name for name, cell in default_cells(parts).items() if parts.study.profiles.get(cell))


def _names_with_traces(parts: ReportParts) -> Iterator[str]:
    return (name for name, cell in default_cells(parts).items() if traces_of(parts.study, cell))


DRAWINGS: Sequence[Shortcode] = (
    Shortcode(
        name="flamegraph",
        renders="graph",
        find=_graphs,
        names=_names_with_profiles,
        examples=(Example(("17", "select"), "the flame graph of a release and step"),),
    ),
    Shortcode(
        name="diff",
        renders="graph",
        find=_diffs,
        names=diff_names,
        examples=(
            Example(("17", "select", "16"), "the diff of a release and step against a base"),
        ),
    ),
    Shortcode(
        name="trace",
        renders="chart",
        find=_traces,
        names=_names_with_traces,
        examples=(
            Example(("17", "select"), "the timeline of a single operation of a release and step"),
            Example(("17", "select", "2"), "the second one of those on the step's page"),
        ),
    ),
)
