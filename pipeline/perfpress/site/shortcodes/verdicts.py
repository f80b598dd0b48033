"""Shortcodes of verdicts and of suspects."""

from collections.abc import Sequence

from perfpress.analysis.study.profiles import CellKey
from perfpress.base.slugs import slug
from perfpress.site.addresses import diff_address
from perfpress.site.cell_pages import cell_url
from perfpress.site.report_figures import DiffKey, Figures
from perfpress.site.report_parts import ReportParts
from perfpress.site.shapes.blocks import Row, Table
from perfpress.site.shapes.pages import ShortcodeContent
from perfpress.site.shortcodes.graphs import default_cells, diff_names
from perfpress.site.shortcodes.mentioned import Mentioned
from perfpress.site.shortcodes.shortcode import (
    Example,
    FoundByName,
    Shortcode,
)
from perfpress.site.tables.columns import filled
from perfpress.site.tables.diff_findings import FindingsOfDiffs
from perfpress.site.tables.rate_cells import RATIO_NOTE, comparison_columns
from perfpress.site.tables.suspects import change_columns, filled_with_changes
from perfpress.site.words.measured import why_none_counts, why_one_lacks
from perfpress.site.words.suspects import changes_sentences

MOST_SUSPECTS = 5
"""Rows of a table in a text; the page of the diff has all."""
SUSPECT_COLUMNS = ("base", "after", "net", "part", "p")


def _verdicts(parts: ReportParts, mentioned: Mentioned) -> FoundByName:
    """Return the verdicts on releases, by `<release>` and by `<release>/<step>`."""
    study, report = parts.study, parts.report
    found: dict[str, ShortcodeContent | str] = {}
    for release in mentioned.releases:
        label = study.label(release)
        cells = [
            cell
            for step in report.steps
            if study.of_cell(cell := CellKey(release, mentioned.variant, step))
        ]
        if cells:
            found[release] = _verdicts_table(parts.figures, cells, slug(release), "")
        else:
            own = [
                each
                for each in study.step_runs
                if (each.cell.release, each.cell.variant) == (release, mentioned.variant)
            ]
            found[release] = f"no run of {label}{why_none_counts(own)}"
        for step in mentioned.steps:
            cell = CellKey(release, mentioned.variant, step)
            found[f"{release}/{step}"] = (
                _verdicts_table(parts.figures, [cell], f"{slug(release)}-{slug(step)}", f", {step}")
                if cell in cells
                else f"no run of {step} on {label}{why_one_lacks(study, cell)}"
            )
    return found


def _verdicts_table(figures: Figures, cells: Sequence[CellKey], name: str, of: str) -> Table:
    study = figures.study
    columns = comparison_columns(figures, cells)
    return filled(
        Table(
            id=f"verdicts-{name}",
            caption=f"Verdicts on {study.label(cells[0].release)}{of}",
            row_head="Step",
            notes=(RATIO_NOTE,),
        ),
        columns,
        (
            (Row(key=slug(cell.step), label=cell.step, url=cell_url(study, cell)), cell)
            for cell in cells
        ),
    )


def _suspects(parts: ReportParts, mentioned: Mentioned) -> FoundByName:
    """Return suspects, by `<release>/<step>/vs/<base>`; against the report's base also without."""
    found: dict[str, ShortcodeContent | str] = {}
    for cell in mentioned.cells:
        name = f"{cell.release}/{cell.step}"
        label = parts.study.label(cell.release)
        found[name] = f"no suspects of {cell.step} on {label}: it is the base of the report"
        for base in mentioned.releases:
            if base == cell.release:
                continue
            shown = _suspects_table(parts.figures, DiffKey(cell, base), parts.findings)
            found[f"{name}/vs/{base}"] = shown
            if base == parts.report.base:
                found[name] = shown
    return found


def _suspects_table(figures: Figures, key: DiffKey, findings: FindingsOfDiffs) -> Table | str:
    """Return the suspects of a diff as a text shows them, or else why there are none."""
    report, cell = figures.study.report, key.cell
    labels = figures.study.label(cell.release), figures.study.label(key.base)
    if key not in findings:
        reason = why_one_lacks(figures.study, cell, cell.in_release(key.base))
        return f"no diff of {cell.step}, {labels[0]} against {labels[1]}{reason}"
    suspects = findings[key].additions
    if not suspects:
        return " ".join(changes_sentences(findings[key]))
    address = diff_address(report, cell, key.base)
    columns = [each for each in change_columns(findings[key]) if each.key in SUSPECT_COLUMNS]
    more = len(suspects) - MOST_SUSPECTS
    return filled_with_changes(
        Table(
            id=slug(f"suspects-{cell.release}-{cell.step}-{key.base}"),
            caption=f"Largest additions of {cell.step}: {labels[1]} → {labels[0]}",
            notes=(f"{more} more on the page of the diff.",) if more > 0 else (),
        ),
        columns,
        suspects[:MOST_SUSPECTS],
        lambda _, anchor: f"{address}#suspects.{anchor}",
    )


VERDICTS: Sequence[Shortcode] = (
    Shortcode(
        name="verdicts",
        renders="table",
        find=_verdicts,
        names=lambda parts: [*parts.study.measured, *default_cells(parts)],
        examples=(
            Example(("17",), "the [verdicts](/docs/verdicts/) on a release: a row for each step"),
            Example(("17", "select"), "that of one step"),
        ),
    ),
    Shortcode(
        name="suspects",
        renders="table",
        find=_suspects,
        names=diff_names,
        examples=(
            Example(
                ("17", "select"),
                "the [suspects](/docs/suspects/) of a release and step against the base: the five "
                "that grew most",
            ),
            Example(
                ("17", "select", "16"), "those against another release, of which there is a diff"
            ),
        ),
    ),
)
