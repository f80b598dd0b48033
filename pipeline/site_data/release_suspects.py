"""The biggest suspects of a release, over all its steps: against the base, and against previous."""

from collections.abc import Mapping
from typing import Any

from pipeline.display import NO_VALUE, PERCENT, fixed, percent_change, plural, short_name, signed
from pipeline.site_data.addresses import diff_address
from pipeline.site_data.figures import Figures
from pipeline.site_data.graph_jobs import DiffKey
from pipeline.site_data.page_shapes import Suspects
from pipeline.site_data.profile_cells import tells_rates
from pipeline.site_data.row_keys import row_keys
from pipeline.site_data.shapes import Cell, Column, Row, Table
from pipeline.site_data.suspects_sentences import why_no_p
from pipeline.site_data.suspects_table import CANNOT_TELL
from pipeline.site_data.verdict_cells import verdict_cell
from pipeline.slug import slug

VERDICT_COLUMN = Column(
    key="verdict",
    label="Throughput of the step",
    meaning="where the step is not slower, something else of it costs less",
    numeric=False,
)

MOST = 8
"""Rows of each table; the pages of the diffs have all."""

Told = Mapping[DiffKey, Mapping[str, Any]]
"""`suspects` of the answers to `diff` jobs."""


def release_suspects(figures: Figures, release: str, told: Told) -> tuple[Suspects, ...]:
    """Return the suspects against the base and against the release before, where there are diffs.

    Steps cost different amounts: growth is told as a part of what the step cost before.
    """
    report = figures.study.report
    previous = report.previous(release)
    bases = dict.fromkeys((report.base, *([previous.id] if previous else [])))
    made = []
    for base in bases:
        own = {
            key: each
            for key, each in told.items()
            if key.cell.release == release and key.base == base
        }
        if own:
            made.append(_against(figures, release, base, own))
    return tuple(made)


def _against(figures: Figures, release: str, base: str, told: Told) -> Suspects:
    found = [
        (suspect["net"] / each["base"]["whole"], key, at)
        for key, each in told.items()
        for at, suspect in enumerate(each["suspects"], start=1)
        if each["base"]["whole"] > 0
    ]
    found.sort(key=lambda each: (-each[0], each[1], each[2]))
    labels = figures.study.label(base), figures.study.label(release)
    return Suspects(
        summary=_sentences(figures, told, labels),
        table=_table(figures, told, found, base, labels) if found else None,
    )


def _sentences(figures: Figures, told: Told, labels: tuple[str, str]) -> tuple[str, ...]:
    """Return which steps have no suspects, and why."""
    evenly = [
        f"{_step(figures, key)} {percent_change(each['even'])}"
        for key, each in told.items()
        if each["spread_evenly"]
    ]
    none = [
        _step(figures, key)
        for key, each in told.items()
        if not each["suspects"] and not each["spread_evenly"]
    ]
    base, after = labels
    said = []
    if evenly:
        said.append(
            f"From {base} to {after} growth is spread evenly over all code: {', '.join(evenly)}."
        )
    if none:
        said.append(f"From {base} to {after} there are no suspects in {', '.join(none)}.")
    return tuple(said)


def _table(
    figures: Figures,
    told: Told,
    found: list[tuple[float, DiffKey, int]],
    base: str,
    labels: tuple[str, str],
) -> Table:
    base_label, label = labels
    has_rates = tells_rates(figures, (key.cell for _, key, _ in found))
    more = len(found) - MOST
    steps = len({key for _, key, _ in found[MOST:]})
    return Table(
        id=f"suspects-{slug(base)}",
        caption=f"What grew most from {base_label} to {label}",
        row_head="Function",
        columns=(
            Column(key="step", label="Step", numeric=False),
            Column(
                key="grew",
                label="Grew",
                unit=f"{PERCENT.strip()} of the step’s cost",
                meaning="the change less what only moved; "
                f"100{PERCENT} is what one operation of the step cost on {base_label}",
            ),
            Column(key="amount", label="That is", numeric=False),
            Column(
                key="p",
                label="p",
                meaning="chance that captures of one release would make any function look as grown",
            ),
            *((VERDICT_COLUMN,) if has_rates else ()),
        ),
        rows=tuple(
            _row(figures, key, told[key], at, part, has_rates=has_rates)
            for part, key, at in found[:MOST]
        ),
        notes=(
            (f"{more} more in {plural(steps, 'step')}: the pages of the steps lead to them.",)
            if more > 0
            else ()
        ),
    )


def _row(
    figures: Figures,
    key: DiffKey,
    told: Mapping[str, Any],
    at: int,
    part: float,
    *,
    has_rates: bool,
) -> Row:
    report, cell = figures.study.report, key.cell
    suspects = told["suspects"]
    suspect = suspects[at - 1]
    anchor = row_keys(each["name"] for each in suspects[:at])[-1]
    address = diff_address(report, cell.release, cell.step, cell.variant, key.base)
    of_variant = () if cell.variant == report.default_variant else (cell.variant,)
    return Row(
        key="~".join((slug(cell.step), *of_variant, anchor)),
        label=short_name(suspect["name"]),
        function=suspect["function"],
        url=f"{address}#suspects.{anchor}",
        cells=(
            Cell(text=_step(figures, key), url=address),
            Cell(text=f"+{fixed(100 * part, 1)}", sort=part),
            _amount(told, suspect),
            _p(told, suspect["p"]),
            *((verdict_cell(figures, cell, key.base) or Cell(text=NO_VALUE),) if has_rates else ()),
        ),
    )


def _step(figures: Figures, key: DiffKey) -> str:
    report, cell = figures.study.report, key.cell
    if cell.variant == report.default_variant:
        return cell.step
    return f"{cell.step}, {report.variants[cell.variant]}"


def _amount(told: Mapping[str, Any], suspect: Mapping[str, Any]) -> Cell:
    shown = told["shown"]
    factor, decimals = shown["factor"], shown["decimals"]
    sides = (fixed(suspect[side] * factor, decimals) for side in ("base", "after"))
    unit = shown["unit"].replace(" %", PERCENT)
    return Cell(
        text=f"{signed(suspect['net'] * factor, decimals)} {unit}",
        note=f"with everything it called: {' → '.join(sides)}",
    )


def _p(told: Mapping[str, Any], p: float | None) -> Cell:
    if p is None:
        return Cell(text=CANNOT_TELL, note=why_no_p(told))
    return Cell(text=f"{p:.4f}", sort=p)
