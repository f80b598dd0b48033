"""The table of what was captured, and how well."""

from pipeline.analysis.quality import Quality, quality_of
from pipeline.display import NO_VALUE, fixed
from pipeline.profiles import CellKey
from pipeline.site_data.cost_cells import work_text
from pipeline.site_data.figures import Figures
from pipeline.site_data.shapes import Cell, Column, Row, Table
from pipeline.slug import slug


def quality_table(figures: Figures, variant: str, step: str, current: str | None) -> Table | None:
    """Return how good the profiles of a step are, a row a release and event."""
    study = figures.study
    rows = []
    for release in study.releases_with(variant, step):
        cell = CellKey(release, variant, step)
        for made, profile in figures.profiles.get(cell, ()):
            quality = quality_of(profile, study.of_cell(cell))
            rows.append(
                Row(
                    key=slug(f"{release}-{made.event}"),
                    label=f"{study.label(release)}, {made.event}",
                    current=release == current,
                    note=work_text(figures, cell, made.event),
                    cells=_quality_cells(quality),
                )
            )
    if not rows:
        return None
    return Table(
        id="quality",
        caption=f"What was captured of {step}",
        row_head="Release, event",
        columns=(
            Column(key="captures", label="Captures"),
            Column(key="seconds", label="Captured", unit="s"),
            Column(key="frequency", label="Frequency", unit="Hz", meaning="asked for"),
            Column(key="samples", label="Samples"),
            Column(key="lost", label="Lost", meaning="samples that the recorder says it lost"),
            Column(key="unknown", label="Unknown", unit="%", meaning="frames without a symbol"),
            Column(
                key="cut-off",
                label="Cut off",
                unit="%",
                meaning="stacks that do not reach the start of their thread",
            ),
            Column(key="kernel", label="Kernel", unit="%", meaning="self weight in the kernel"),
        ),
        rows=tuple(rows),
        notes=("Percent of the profile's weight.",),
    )


def _quality_cells(quality: Quality) -> tuple[Cell, ...]:
    def percent(share: float | None) -> Cell:
        if share is None:
            return Cell(text=NO_VALUE, note="not known")
        return Cell(text=fixed(100 * share, 1), sort=share)

    def count(value: float | None) -> Cell:
        if value is None:
            return Cell(text=NO_VALUE, note="not known")
        return Cell(text=f"{value:,.10g}", sort=value)

    partial = quality.partial_captures
    captures = Cell(
        text=str(quality.captures),
        note=f"{partial} of them end too early" if partial else "",
        sort=quality.captures,
    )
    frequency = ", ".join(f"{each:g}" for each in quality.frequencies)
    skipped = "; ".join(f"{times:,} × {reason}" for reason, times in quality.skipped)
    lost = count(quality.lost)
    return (
        captures,
        count(quality.seconds),
        Cell(text=frequency or NO_VALUE, note="" if frequency else "not known"),
        count(quality.samples),
        Cell(text=lost.text, note=f"not read: {skipped}" if skipped else "", sort=lost.sort),
        percent(quality.unknown),
        percent(quality.cut_off),
        percent(dict(quality.by_class).get("kernel", 0.0)),
    )
