"""What stands where rates would be, where there are profiles alone: how much was sampled."""

from collections.abc import Iterable

from msgspec.structs import replace

from pipeline.analysis.counted import tells
from pipeline.display import NO_VALUE
from pipeline.paths.absence import NO_PROFILE
from pipeline.site_data.addresses import step_address
from pipeline.site_data.figures import Figures
from pipeline.site_data.overview import Overview
from pipeline.site_data.shapes import Cell, Column, Table
from pipeline.study.profiles import CellKey

UNCOUNTED = "profile"
"""What stands for the samples of a profile that does not count them."""

NO_RATES_NOTE = "No log of these runs tells how fast they were."

PROFILE_COLUMNS = (
    Column(key="samples", label="Samples"),
    Column(key="captures", label="Captures"),
)


def tells_rates(figures: Figures, cells: Iterable[CellKey]) -> bool:
    """Return whether any run of some cells tells how fast it was, or was to and failed."""
    return any(tells(each, "throughput") for cell in cells for each in figures.study.of_cell(cell))


def variant_tells_rates(figures: Figures, variant: str) -> bool:
    """Return whether any run of a variant tells how fast it was, or was to and failed."""
    study = figures.study
    return any(
        tells(each, "throughput") for each in study.step_runs if each.cell.variant == variant
    )


def profile_cells(figures: Figures, cell: CellKey) -> tuple[Cell, Cell]:
    """Return what was sampled for the profile that tables are of, under `PROFILE_COLUMNS`."""
    made = figures.main(cell)
    if made is None:
        none = Cell(text=NO_VALUE, note=NO_PROFILE)
        return none, none
    quality = figures.qualities[cell, made.event]
    samples, captures = quality.samples, quality.captures
    return (
        # What an SVG calls samples are most often its weights: 6,479,335,500,000 cycles.
        Cell(text=UNCOUNTED, note="how many samples it has is not known")
        if samples is None
        else Cell(text=f"{samples:,}", sort=samples),
        Cell(text=f"{captures:,}", sort=captures),
    )


def profiles_overview(figures: Figures, variant: str) -> Table:
    """Return the samples of all releases and steps of a variant; each leads to its flame graph."""
    study = figures.study
    overview = Overview(study, variant)

    def cell_of(cell: CellKey) -> Cell:
        samples, _ = profile_cells(figures, cell)
        if not study.of_cell(cell):
            return samples
        url = step_address(study.report, cell.release, cell.step, cell.variant)
        return replace(samples, url=url)

    return Table(
        id=f"profiles-{variant}",
        caption=f"Samples of the profiles on {study.report.variants[variant]}",
        row_head="Step",
        columns=overview.columns(),
        rows=overview.rows(
            lambda step: tuple(cell_of(each) for each in overview.cells(step)),
            dict.fromkeys(overview.steps, "samples"),
        ),
        by_release=True,
        notes=(NO_RATES_NOTE,),
    )
