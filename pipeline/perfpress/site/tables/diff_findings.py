"""Formats the numbers of a diff's findings."""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from perfpress.base.display import NO_VALUE, PERCENT, fixed, signed
from perfpress.base.node.messages.findings import Findings, SideName
from perfpress.site.shapes.blocks import Cell
from perfpress.site.tables.columns import Column, Subject
from perfpress.site.words.suspects import why_no_p

if TYPE_CHECKING:  # imports pandas, which comparing two files does without
    from perfpress.site.report_figures import DiffKey

FindingsOfDiffs = Mapping["DiffKey", Findings]

UNKNOWN = "unknown"


def unit_of(findings: Findings) -> str:
    """Return the unit of a diff's numbers."""
    unit: str = findings.shown.unit
    return unit.replace(" %", PERCENT)


def number_text(findings: Findings, value: float) -> str:
    """Return a number of a diff; all of them share unit and decimals."""
    return fixed(value * findings.shown.factor, findings.shown.decimals)


def signed_text(findings: Findings, value: float) -> str:
    """Return a difference, with its sign."""
    return signed(value * findings.shown.factor, findings.shown.decimals)


def amount_cell(findings: Findings, value: float, note: str = "") -> Cell:
    """Return what a function costs on one side."""
    if value == 0:
        return Cell(text=NO_VALUE, sort=0.0)
    return Cell(text=number_text(findings, value), sort=value, note=note)


def change_cell(findings: Findings, value: float) -> Cell:
    """Return by how much a function's cost differs."""
    return Cell(text=signed_text(findings, value), sort=value)


def side_columns(
    findings: Findings, amount: Callable[[Subject, SideName], Cell]
) -> tuple[Column[Subject], Column[Subject]]:
    """Return the columns of what functions cost on each side, with everything that they called."""
    unit = unit_of(findings)
    base, after = findings.base.label, findings.after.label
    called = "with everything it called"
    return (
        Column("base", base, lambda each: amount(each, "base"), unit=unit, meaning=called),
        Column("after", after, lambda each: amount(each, "after"), unit=unit, meaning="the same"),
    )


def p_cell(findings: Findings, p: float | None) -> Cell:
    """Return the p of a suspect, or why it has none."""
    if p is None:
        return Cell(text=UNKNOWN, note=why_no_p(findings))
    return Cell(text=f"{p:.4f}", sort=p)
