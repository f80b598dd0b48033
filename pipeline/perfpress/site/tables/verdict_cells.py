"""Verdicts as cells: the words, a mark and a colour that mean the same, and the evidence."""

from perfpress.analysis.study.profiles import CellKey
from perfpress.analysis.study.study import Study
from perfpress.analysis.verdicts.states import State
from perfpress.analysis.verdicts.verdicts import Verdict
from perfpress.base.display import PERCENT
from perfpress.site.report_figures import Figures
from perfpress.site.shapes.blocks import Cell
from perfpress.site.shapes.site import Listing

MARKS_NOTE = " · ".join(f"{state.row.mark} {state}" for state in State if state.row.mark)


def verdict_listing() -> Listing:
    """Return all states as the docs explain them."""
    return Listing(
        heads=("mark", "verdict", "meaning"),
        rows=tuple(
            (state.row.mark, state.words(0.2 if state is State.NOISY else 0.02), state.row.meaning)
            for state in State
        ),
    )


def verdict_cell(figures: Figures, cell: CellKey, base: str | None) -> Cell | None:
    """Return the verdict on a cell against a release; None where nothing is compared."""
    verdict = figures.verdicts.get((cell, base)) if base else None
    if verdict is None:
        return None
    return Cell(
        text=verdict_text(verdict),
        tone=verdict.state.row.tone,
        mark=verdict.state.row.mark,
        note=evidence(figures.study, verdict),
        sort=verdict.state.row.rank,
    )


def verdict_text(verdict: Verdict) -> str:
    """Return a verdict as tables write it: `no change seen (within ±2.1 %)`."""
    return verdict.words.replace(" %", PERCENT)


def evidence(study: Study, verdict: Verdict) -> str:
    """Return the evidence of a verdict, and what to know beside it, in sentences."""
    sentences = [verdict.why]
    if verdict.accepted:
        sentences.append(f"accepted: {verdict.accepted}")
    if verdict.resolved:
        sentences.append(f"{study.label(verdict.resolved)} is back at the base: one run's fluke")
    if verdict.environment:
        sentences.append(f"the environments differ: {', '.join(verdict.environment)}")
    text = ". ".join(f"{each[0].upper()}{each[1:]}" for each in sentences)
    return text.replace(" %", PERCENT)
