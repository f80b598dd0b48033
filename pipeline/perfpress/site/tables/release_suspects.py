"""The biggest suspects of a release, over all its steps: against the base, and against previous."""

from itertools import chain
from typing import NamedTuple

from perfpress.base.display import NO_VALUE, PERCENT, fixed, percent_change, plural, row_name
from perfpress.base.node.messages.findings import Change, Findings
from perfpress.base.slugs import slug
from perfpress.site.addresses import diff_address
from perfpress.site.report_figures import DiffKey, Figures
from perfpress.site.shapes.blocks import Cell, Row, Table
from perfpress.site.shapes.pages import Suspects
from perfpress.site.tables.columns import Column, filled, row_keys, with_namespace
from perfpress.site.tables.diff_findings import (
    FindingsOfDiffs,
    number_text,
    p_cell,
    signed_text,
    unit_of,
)
from perfpress.site.tables.suspects import P_MEANING
from perfpress.site.tables.verdict_cells import verdict_cell
from perfpress.site.words.measured import cells_have_rates

MOST = 8
"""Rows of each table; the pages of the diffs have all."""


class _RankedSuspect(NamedTuple):
    """A suspect among those of all steps."""

    growth: float
    """As a part of what the step cost before: steps cost different amounts."""
    key: DiffKey
    findings: Findings
    at: int
    """Among the suspects of its diff."""

    @property
    def suspect(self) -> Change:
        return self.findings.additions[self.at]


def release_suspects(
    figures: Figures, release: str, findings: FindingsOfDiffs
) -> tuple[Suspects, ...]:
    """Return the suspects of slower steps, against the base and against the release before.

    Growth is relative to what the step cost before, as steps cost different amounts.
    """
    study = figures.study
    made = []
    compared = (study.compared_with(release, variant) for variant in study.report.variants)
    for base in dict.fromkeys(chain.from_iterable(compared)):
        own = {
            key: each
            for key, each in findings.items()
            if key.cell.release == release and key.base == base and _is_slower(figures, key, each)
        }
        if own:
            table = _table(figures, own, release, base)
            made.append(
                Suspects(
                    summary=_sentences(figures, own, release, base),
                    tables=(table,) if table else (),
                )
            )
    return tuple(made)


def _is_slower(figures: Figures, key: DiffKey, findings: Findings) -> bool:
    """Return whether a step is slower, costs more, or neither is known: else it has no suspects."""
    verdict = figures.verdicts.get((key.cell, key.base))
    if verdict is not None and verdict.state.is_slower:
        return True
    return findings.change.whole > 0 or (verdict is None and findings.basis == "share")


def _sentences(
    figures: Figures, findings: FindingsOfDiffs, release: str, base: str
) -> tuple[str, ...]:
    """Return which steps have no suspects, and why."""
    evenly = [
        f"{_step(figures, key)} {percent_change(each.even)}"
        for key, each in findings.items()
        if each.spread_evenly and each.even > 1
    ]
    none = [
        _step(figures, key)
        for key, each in findings.items()
        if not each.additions and not each.spread_evenly
    ]
    pair = f"{figures.study.label(base)} → {figures.study.label(release)}"
    sentences = []
    if evenly:
        sentences.append(f"Growth spread evenly over all code, {pair}: {', '.join(evenly)}.")
    if none:
        sentences.append(f"No suspects, {pair}: {', '.join(none)}.")
    return tuple(sentences)


def _table(figures: Figures, findings: FindingsOfDiffs, release: str, base: str) -> Table | None:
    found = [
        _RankedSuspect(suspect.net / each.base.whole, key, each, at)
        for key, each in findings.items()
        for at, suspect in enumerate(each.additions)
        if each.base.whole > 0
    ]
    if not found:
        return None
    found.sort(key=lambda each: (-each.growth, each.key, each.at))
    base_label, label = figures.study.label(base), figures.study.label(release)
    columns = _columns(figures, found, base_label)
    more = found[MOST:]
    steps = len({each.key for each in more})
    more_note = f"{len(more)} more in {plural(steps, 'step')}: see the pages of the steps."
    table = filled(
        Table(
            id=f"suspects-{slug(base)}",
            caption=f"Largest increases, {base_label} → {label}",
            row_head="Function",
            notes=(more_note,) if more else (),
        ),
        columns,
        ((_row(figures, each), each) for each in found[:MOST]),
    )
    return with_namespace(table)


def _columns(
    figures: Figures, found: list[_RankedSuspect], base_label: str
) -> tuple[Column[_RankedSuspect], ...]:
    verdict: Column[_RankedSuspect] = Column(
        "verdict",
        "Throughput of the step",
        lambda each: verdict_cell(figures, each.key.cell, each.key.base) or Cell(text=NO_VALUE),
        meaning="where the step is not slower, other code of it costs less",
        numeric=False,
    )
    # Of shares the growth is the amount, and no cost.
    is_share = all(each.findings.basis == "share" for each in found)
    of_what = "points of share of all" if is_share else f"{PERCENT.strip()} of the step’s cost"
    hundred = (
        f"100{PERCENT} is all of the profile"
        if is_share
        else f"100{PERCENT} is what one operation of the step cost on {base_label}"
    )
    amount: Column[_RankedSuspect] = Column("amount", "Amount", _amount, numeric=False)
    return (
        Column(
            "step",
            "Step",
            lambda each: Cell(text=_step(figures, each.key), url=_address(figures, each.key)),
            numeric=False,
        ),
        Column(
            "grew",
            "Growth",
            lambda each: Cell(text=f"+{fixed(100 * each.growth, 1)}", sort=each.growth),
            unit=of_what,
            meaning=f"the change less what only moved; {hundred}",
        ),
        *(() if is_share else (amount,)),
        Column("p", "p", lambda each: p_cell(each.findings, each.suspect.p), meaning=P_MEANING),
        *((verdict,) if cells_have_rates(figures, (each.key.cell for each in found)) else ()),
    )


def _row(figures: Figures, each: _RankedSuspect) -> Row:
    report, cell = figures.study.report, each.key.cell
    names = (suspect.name for suspect in each.findings.additions[: each.at + 1])
    anchor = row_keys(names)[-1]
    of_variant = () if cell.variant == report.default_variant else (cell.variant,)
    return Row(
        key="~".join((slug(cell.step), *of_variant, anchor)),
        label=row_name(each.suspect.name),
        function=each.suspect.function,
        url=f"{_address(figures, each.key)}#suspects.{anchor}",
    )


def _address(figures: Figures, key: DiffKey) -> str:
    cell = key.cell
    return diff_address(figures.study.report, cell, key.base)


def _step(figures: Figures, key: DiffKey) -> str:
    report, cell = figures.study.report, key.cell
    if cell.variant == report.default_variant:
        return cell.step
    return f"{cell.step}, {report.variants[cell.variant]}"


def _amount(each: _RankedSuspect) -> Cell:
    sides = (number_text(each.findings, cost) for cost in (each.suspect.base, each.suspect.after))
    return Cell(
        text=f"{signed_text(each.findings, each.suspect.net)} {unit_of(each.findings)}",
        note=f"with everything it called: {' → '.join(sides)}",
    )
