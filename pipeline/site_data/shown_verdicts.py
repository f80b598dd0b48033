"""Verdicts and suspects as the shortcodes of a text show them, by name."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import msgspec

from pipeline.site_data.addresses import diff_address, step_address
from pipeline.site_data.figures import Figures
from pipeline.site_data.graph_jobs import DiffKey
from pipeline.site_data.named_in_text import NamedInText
from pipeline.site_data.rate_cells import RATIO_NOTE, comparison_cells, comparison_columns
from pipeline.site_data.release_suspects import Told
from pipeline.site_data.shapes import Row, Table
from pipeline.site_data.suspects_sentences import suspects_sentences
from pipeline.site_data.suspects_table import suspects_table
from pipeline.slug import slug
from pipeline.study.profiles import CellKey

MOST_SUSPECTS = 5
"""Rows of a table in a text; the page of the diff has all."""
SUSPECT_COLUMNS = ("base", "after", "net", "part", "p")


@dataclass(frozen=True)
class ShownVerdicts:
    """What a text can name, of the default variant."""

    verdicts: Mapping[str, Table]
    """By `<release>`, and by `<release>/<step>`."""
    suspects: Mapping[str, Table]
    """By `<release>/<step>/vs/<base>`; against the report's base also by `<release>/<step>`."""
    missing: Mapping[str, str]
    """Why there is no table, by shortcode and name."""


def shown_verdicts(figures: Figures, told: Told, named: NamedInText) -> ShownVerdicts:
    """Return the tables of verdicts and suspects.

    Args:
        figures: of the report.
        told: suspects of the report's diffs.
        named: what the text mentions: the tables are of that alone.
    """
    suspects, missing = _suspects(figures, told, named)
    return ShownVerdicts(_verdicts(figures, named), suspects, missing)


def _verdicts(figures: Figures, named: NamedInText) -> dict[str, Table]:
    report = figures.study.report
    found = {}
    for release in named.releases:
        cells = [
            cell
            for step in report.steps
            if figures.study.of_cell(cell := CellKey(release, report.default_variant, step))
        ]
        if cells:
            found[release] = _verdicts_table(figures, cells, slug(release), "")
        for cell in cells:
            if cell.step in named.steps:
                found[f"{release}/{cell.step}"] = _verdicts_table(
                    figures, [cell], f"{slug(release)}-{slug(cell.step)}", f", {cell.step}"
                )
    return found


def _verdicts_table(figures: Figures, cells: Sequence[CellKey], name: str, of: str) -> Table:
    study = figures.study
    return Table(
        id=f"verdicts-{name}",
        caption=f"Verdicts on {study.label(cells[0].release)}{of}",
        row_head="Step",
        columns=comparison_columns(study),
        rows=tuple(
            Row(
                key=slug(cell.step),
                label=cell.step,
                url=step_address(study.report, cell.release, cell.step, cell.variant),
                cells=comparison_cells(figures, cell),
            )
            for cell in cells
        ),
        notes=(RATIO_NOTE,),
    )


def _suspects(
    figures: Figures, told: Told, named: NamedInText
) -> tuple[dict[str, Table], dict[str, str]]:
    report = figures.study.report
    found: dict[str, Table] = {}
    missing: dict[str, str] = {}
    for cell in named.cells:
        for base in named.releases:
            if base == cell.release:
                continue
            names = [f"{cell.release}/{cell.step}/vs/{base}"]
            if base == report.base:
                names.append(f"{cell.release}/{cell.step}")
            table, why = _suspects_table(figures, DiffKey(cell, base), told)
            if table is not None:
                found |= dict.fromkeys(names, table)
            else:
                missing |= dict.fromkeys((f"suspects {name}" for name in names), why)
    return found, missing


def _suspects_table(figures: Figures, key: DiffKey, told: Told) -> tuple[Table | None, str]:
    """Return the suspects of a diff as a text shows them, or else why there are none."""
    report, cell = figures.study.report, key.cell
    labels = figures.study.label(cell.release), figures.study.label(key.base)
    if key not in told:
        return None, f"no diff of {cell.step}, {labels[0]} against {labels[1]}"
    whole = suspects_table(told[key], "suspects")
    if whole is None:
        return None, " ".join(suspects_sentences(told[key]))
    address = diff_address(report, cell.release, cell.step, cell.variant, key.base)
    kept = [at for at, column in enumerate(whole.columns) if column.key in SUSPECT_COLUMNS]
    shown = [row for row in whole.rows if row.function][:MOST_SUSPECTS]
    more = len(told[key]["suspects"]) - len(shown)
    return (
        msgspec.structs.replace(
            whole,
            id=slug(f"suspects-{cell.release}-{cell.step}-{key.base}"),
            caption=f"Suspects of {cell.step}: what grew from {labels[1]} to {labels[0]}",
            columns=tuple(whole.columns[at] for at in kept),
            rows=tuple(
                msgspec.structs.replace(
                    row,
                    url=f"{address}#suspects.{row.key}",
                    cells=tuple(row.cells[at] for at in kept),
                )
                for row in shown
            ),
            notes=(f"{more} more on the page of the diff.",) if more else (),
        ),
        "",
    )
