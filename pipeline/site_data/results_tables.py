"""Tables of measured values: medians with ranges and intervals, and how releases compare."""

from collections.abc import Callable, Mapping, Sequence

from pipeline.analysis.cost import Unknown
from pipeline.analysis.throughput import Comparison, Summary, against_base, against_previous
from pipeline.profiles import CellKey
from pipeline.readings import Better
from pipeline.site_data.addresses import release_address, step_address
from pipeline.site_data.display import (
    MARKS,
    NO_VALUE,
    decimals_for,
    fixed,
    number,
    percent_change,
    plural_of,
    tone_of,
)
from pipeline.site_data.figures import Figures
from pipeline.site_data.shapes import Cell, Column, Row, Table
from pipeline.slug import slug
from pipeline.study import Study

RATIO_DECIMALS = 3

NO_RUN = Cell(text=NO_VALUE, note="no run")
IS_BASE = Cell(text="base", note="the release compared against")

MEDIAN_NOTE = (
    "Median of the runs; the range holds all of them. An interval of a median needs six runs."
)
RATIO_NOTE = (
    "Ratios are of medians. ▲ better and ▼ worse where the 95 % interval of the ratio leaves out "
    "1, ≈ where it holds 1; an interval needs five runs on both sides."
)


def results_table(figures: Figures, variant: str, step: str, current: str | None) -> Table:
    """Return a step over all releases: the table that its pages open with."""
    study = figures.study
    releases = study.releases_with(variant, step)
    cells = [CellKey(release, variant, step) for release in releases]
    return Table(
        id="results",
        caption=f"Throughput and cost of {step} in all releases",
        row_head="Release",
        columns=(
            *_value_columns(figures, cells),
            *comparison_columns(study),
            *_cost_columns(figures, cells),
        ),
        rows=tuple(
            Row(
                key=slug(cell.release),
                label=study.label(cell.release),
                url=step_address(study.report, cell.release, step, variant),
                current=cell.release == current,
                cells=(
                    *_value_cells(figures, cells, cell),
                    *comparison_cells(figures, cell),
                    *_cost_cells(figures, cells, cell),
                ),
            )
            for cell in cells
        ),
        notes=(MEDIAN_NOTE, RATIO_NOTE),
    )


def steps_table(figures: Figures, release: str, variant: str) -> Table:
    """Return all steps of a release and variant."""
    study = figures.study
    report = study.report
    name = report.variants[variant]
    rows = []
    for step in report.steps:
        cell = CellKey(release, variant, step)
        if not study.of_cell(cell):
            continue
        value_cells = _value_cells(figures, [cell], cell)
        rows.append(
            Row(
                key=slug(step),
                label=step,
                url=step_address(report, release, step, variant),
                cells=(*value_cells, *comparison_cells(figures, cell)),
            )
        )
    return Table(
        id=f"steps-{variant}",
        caption=f"Throughput of {study.label(release)} on {name}",
        row_head="Step",
        columns=(*_value_columns(figures, []), *comparison_columns(study)),
        rows=tuple(rows),
        notes=(MEDIAN_NOTE, RATIO_NOTE),
    )


def throughput_table(figures: Figures, variant: str) -> Table:
    """Return the median rates of a variant: rows are releases, columns are steps."""
    study = figures.study
    summaries = figures.summaries["throughput"]

    def cell_of(cell: CellKey) -> Cell:
        summary = summaries.get(cell)
        if summary is None:
            return missing_cell(study, cell)
        same_step = [each.median for key, each in summaries.items() if key.step == cell.step]
        decimals = decimals_for(same_step)
        return Cell(
            text=fixed(summary.median, decimals),
            note=_spread(summary, decimals),
            url=step_address(study.report, cell.release, cell.step, cell.variant),
            sort=summary.median,
        )

    return _release_by_step(
        figures,
        variant,
        table_id=f"throughput-{variant}",
        caption=f"Operations per second on {study.report.variants[variant]}",
        cell_of=cell_of,
        units={step: f"{plural_of(study.operation(step))}/s" for step in study.report.steps},
        note=MEDIAN_NOTE,
    )


def relative_tables(figures: Figures, variant: str) -> tuple[Table, ...]:
    """Return the rates of a variant relative to the base release, and to the previous one."""
    study = figures.study
    report = study.report
    summaries = figures.summaries["throughput"]
    name = report.variants[variant]

    def against(cell: CellKey, compared: Comparison | None, nothing: Cell) -> Cell:
        if cell not in summaries:
            return missing_cell(study, cell)
        return nothing if compared is None else ratio_cell(compared, "higher")

    def base_cell(cell: CellKey) -> Cell:
        nothing = IS_BASE if cell.release == report.base else NO_RUN
        return against(cell, against_base(summaries, report, cell), nothing)

    def previous_cell(cell: CellKey) -> Cell:
        return against(cell, against_previous(summaries, report, cell), _no_previous(study, cell))

    units = dict.fromkeys(report.steps, "ratio")
    return (
        _release_by_step(
            figures,
            variant,
            table_id=f"against-base-{variant}",
            caption=f"Throughput relative to {study.label(report.base)} on {name}",
            cell_of=base_cell,
            units=units,
            note=RATIO_NOTE,
        ),
        _release_by_step(
            figures,
            variant,
            table_id=f"against-previous-{variant}",
            caption=f"Throughput relative to the release before on {name}",
            cell_of=previous_cell,
            units=units,
            note=RATIO_NOTE,
        ),
    )


def comparison_columns(study: Study) -> tuple[Column, ...]:
    """Return the heads over `comparison_cells`."""
    base = study.label(study.report.base)
    return (
        Column(key="base", label=f"Against {base}", unit="ratio", meaning="this ÷ base"),
        Column(key="base-interval", label="Interval", unit="ratio"),
        Column(
            key="previous",
            label="Against previous",
            unit="ratio",
            meaning="this ÷ the release before it on its branch",
        ),
        Column(key="previous-interval", label="Interval", unit="ratio"),
    )


def comparison_cells(figures: Figures, cell: CellKey) -> tuple[Cell, ...]:
    """Return throughput against base and against previous, each with its interval."""
    study = figures.study
    summaries = figures.summaries["throughput"]
    base = against_base(summaries, study.report, cell)
    previous = against_previous(summaries, study.report, cell)
    nothing = IS_BASE if cell.release == study.report.base else NO_RUN
    return (
        *_ratio_and_interval(base, nothing),
        *_ratio_and_interval(previous, _no_previous(study, cell)),
    )


def ratio_cell(compared: Comparison, better: Better) -> Cell:
    """Return a ratio with what its interval says about it."""
    interval = compared.interval
    tone = tone_of(interval.low, interval.high, better) if interval else "unknown"
    return Cell(
        text=fixed(compared.ratio, RATIO_DECIMALS),
        tone=tone,
        mark=MARKS[tone],
        note=f"{percent_change(compared.ratio)}; {compared.method}",
        sort=compared.ratio,
    )


def missing_cell(study: Study, cell: CellKey) -> Cell:
    """Return why a cell has no value."""
    runs = study.of_cell(cell)
    if not runs:
        return NO_RUN
    excluded = [each.exclusion for each in runs if each.exclusion is not None]
    if excluded and len(excluded) == len(runs):
        return Cell(text=NO_VALUE, note=f"{excluded[0].status}: {excluded[0].reason}")
    if not any(each.is_repeat for each in runs):
        return Cell(text=NO_VALUE, note="profiled only: no run was made for its rate")
    return Cell(text=NO_VALUE, note="no log tells the throughput")


def _release_by_step(
    figures: Figures,
    variant: str,
    *,
    table_id: str,
    caption: str,
    cell_of: Callable[[CellKey], Cell],
    units: Mapping[str, str],
    note: str,
) -> Table:
    study = figures.study
    steps = [step for step in study.report.steps if study.releases_with(variant, step)]
    with_runs = {release for step in steps for release in study.releases_with(variant, step)}
    return Table(
        id=table_id,
        caption=caption,
        row_head="Release",
        columns=tuple(Column(key=slug(step), label=step, unit=units[step]) for step in steps),
        rows=tuple(
            Row(
                key=slug(release.id),
                label=study.label(release.id),
                url=release_address(study.report, release.id),
                cells=tuple(cell_of(CellKey(release.id, variant, step)) for step in steps),
            )
            for release in study.report.releases
            if release.id in with_runs
        ),
        notes=(note,),
    )


def _value_columns(figures: Figures, cells: Sequence[CellKey]) -> tuple[Column, ...]:
    operation = (
        f"{plural_of(figures.study.operation(cells[0].step))}/s" if cells else "operations/s"
    )
    return (
        Column(key="median", label="Median", unit=operation),
        Column(key="range", label="Range", unit=operation),
        Column(key="interval", label="95 % interval", unit=operation),
        Column(key="runs", label="Runs", meaning="repeats that count"),
    )


def _value_cells(
    figures: Figures, cells: Sequence[CellKey], cell: CellKey
) -> tuple[Cell, Cell, Cell, Cell]:
    """Return median, range, interval of the median and count of runs; `cells` share decimals."""
    summaries = figures.summaries["throughput"]
    summary = summaries.get(cell)
    if summary is None:
        missing = missing_cell(figures.study, cell)
        return missing, missing, missing, Cell(text="0", sort=0)
    decimals = decimals_for(summaries[each].median for each in cells if each in summaries)
    interval = summary.interval
    return (
        Cell(text=fixed(summary.median, decimals), sort=summary.median),
        Cell(text=_between(summary.low, summary.high, decimals), sort=summary.high - summary.low),
        Cell(
            text=_between(interval.low, interval.high, decimals) if interval else NO_VALUE,
            note="" if interval else "fewer than six runs",
        ),
        Cell(text=str(len(summary.values)), sort=len(summary.values)),
    )


def _cost_columns(figures: Figures, cells: Sequence[CellKey]) -> tuple[Column, ...]:
    """Return the heads of the costs that any of the cells has."""
    columns = []
    unit = next((each.unit for cell in cells if (each := figures.main_profile(cell))), None)
    operation = figures.study.operation(cells[0].step) if cells else "operation"
    if unit is not None:
        columns.append(
            Column(
                key="cost",
                label="Cost",
                unit=f"{unit}/{operation}",
                meaning="what the profile weighs ÷ the operations done while it was captured",
            )
        )
    if _host_cpu(figures, cells):
        columns.append(
            Column(
                key="host-cpu",
                label="Host CPU",
                unit=f"µs/{operation}",
                meaning="user and system time of the whole host, the client included",
            )
        )
    return tuple(columns)


def _cost_cells(figures: Figures, cells: Sequence[CellKey], cell: CellKey) -> tuple[Cell, ...]:
    found: list[Cell] = []
    costs = [cost for each in cells if (cost := figures.cost(each)) is not None]
    if any(figures.main_profile(each) for each in cells):
        cost = figures.cost(cell)
        found.append(
            Cell(text=NO_VALUE, note=work_text(figures, cell))
            if cost is None
            else Cell(
                text=fixed(cost, decimals_for(costs)), note=work_text(figures, cell), sort=cost
            )
        )
    host = _host_cpu(figures, cells)
    if host:
        cpu = host.get(cell)
        reason = figures.host_costs[cell].reason
        found.append(
            Cell(text=NO_VALUE, note=reason)
            if cpu is None
            else Cell(text=fixed(cpu, decimals_for(host.values())), sort=cpu)
        )
    return tuple(found)


def work_text(figures: Figures, cell: CellKey) -> str:
    """Return how the operations behind a cost are known, or why they are not."""
    work = figures.work.get(cell)
    if work is None:
        return "no profile"
    if isinstance(work, Unknown):
        return work.reason
    return f"{number(work.operations)} operations: {work.method}; scope: {work.scope}"


def _host_cpu(figures: Figures, cells: Sequence[CellKey]) -> dict[CellKey, float]:
    return {
        cell: cpu
        for cell in cells
        if (cpu := figures.host_costs[cell].cpu_microseconds) is not None
    }


def _ratio_and_interval(compared: Comparison | None, nothing: Cell) -> tuple[Cell, Cell]:
    if compared is None:
        return nothing, Cell(text=NO_VALUE)
    interval = compared.interval
    if interval is None:
        between = _between(compared.low, compared.high, RATIO_DECIMALS)
        return ratio_cell(compared, "higher"), Cell(
            text=f"({between})", note="range of the ratios of all pairs of runs, no interval"
        )
    return (
        ratio_cell(compared, "higher"),
        Cell(text=_between(interval.low, interval.high, RATIO_DECIMALS), note=compared.method),
    )


def _no_previous(study: Study, cell: CellKey) -> Cell:
    if study.report.previous(cell.release) is None:
        return Cell(text=NO_VALUE, note="the first release of its branch")
    return Cell(text=NO_VALUE, note="the release before has no run")


def _between(low: float, high: float, decimals: int) -> str:
    return f"{fixed(low, decimals)}\N{EN DASH}{fixed(high, decimals)}"


def _spread(summary: Summary, decimals: int) -> str:
    runs = len(summary.values)
    if runs == 1:
        return "one run"
    return f"median of {runs} runs, {_between(summary.low, summary.high, decimals)}"
