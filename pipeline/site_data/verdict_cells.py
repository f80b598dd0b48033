"""Verdicts as cells: the words, a mark and a colour that mean the same, and the evidence."""

from pipeline.analysis.verdicts import State, Verdict
from pipeline.display import PERCENT
from pipeline.site_data.figures import Figures
from pipeline.site_data.shapes import Cell, Tone
from pipeline.study.profiles import CellKey
from pipeline.study.study import Study

TONES: dict[State, Tone] = {
    "slower": "worse",
    "faster": "better",
    "no change seen": "same",
    "slower, one run": "unknown",
    "faster, one run": "unknown",
    "noisy": "unknown",
    "cannot tell": "unknown",
    "missing": "",
    "failed": "worse",
}

MARKS: dict[State, str] = {
    "slower": "▼",
    "faster": "▲",
    "no change seen": "≈",
    "slower, one run": "▽",
    "faster, one run": "△",
    "noisy": "~",
    "cannot tell": "?",
    "missing": "",
    "failed": "×",
}
"""Colour is never alone: filled where several runs show it, hollow where one does."""

RANKS: tuple[State, ...] = (
    "failed",
    "slower",
    "slower, one run",
    "noisy",
    "cannot tell",
    "missing",
    "no change seen",
    "faster, one run",
    "faster",
)
"""The order in which a column of verdicts is sorted: what needs a look comes first."""

MARKS_NOTE = (
    "▼ slower and ▲ faster in several runs, ▽ and △ in one run, ≈ no change seen, ~ noisy, "
    "? cannot tell, × failed."
)


def verdict_cell(figures: Figures, cell: CellKey, base: str | None) -> Cell | None:
    """Return the verdict on a cell against a release; None where nothing is compared."""
    verdict = figures.verdicts.get((cell, base)) if base else None
    if verdict is None:
        return None
    return Cell(
        text=verdict.words.replace(" %", PERCENT),
        tone=TONES[verdict.state],
        mark=MARKS[verdict.state],
        note=evidence(figures.study, verdict),
        sort=RANKS.index(verdict.state),
    )


def evidence(study: Study, verdict: Verdict) -> str:
    """Return what a verdict rests on, and what stands beside it, in sentences."""
    sentences = [verdict.why]
    if verdict.accepted:
        sentences.append(f"accepted: {verdict.accepted}")
    if verdict.resolved:
        sentences.append(f"{study.label(verdict.resolved)} is back at the base: one run's fluke")
    if verdict.environment:
        sentences.append(f"the environments differ: {', '.join(verdict.environment)}")
    text = ". ".join(f"{each[0].upper()}{each[1:]}" for each in sentences)
    return text.replace(" %", PERCENT)
