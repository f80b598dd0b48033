"""What is counted and not timed, against other releases: one run is enough to see a change."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from perfpress.analysis.metrics.throughput import Summary
from perfpress.analysis.study.profiles import CellKey
from perfpress.analysis.verdicts.verdicts import Evidence, Verdict
from perfpress.base.display import fixed, number, percent_change
from perfpress.input.logs.metric_names import meaning_of

if TYPE_CHECKING:  # imports pandas, which a comparison of two files does without
    from perfpress.site.report_figures import Figures

ONE_IS_ENOUGH = "where one run is enough"

WORDS = {"slower": "more", "faster": "less"}
"""Of the directions of a verdict: no count is slow."""


def exact_count_sentences(figures: "Figures", cell: CellKey) -> tuple[str, ...]:
    """Return a sentence for each release that a cell is compared with, for its pages."""
    found: dict[str, list[str]] = {}
    for name, verdicts in figures.exact_verdicts.items():
        for verdict in verdicts.of_cell(cell):
            if verdict.evidence is Evidence.COUNT:
                found.setdefault(verdict.base, []).append(words_of_cell(figures, name, verdict))
    label = figures.study.label
    return tuple(
        f"Counted against {label(base)}, {ONE_IS_ENOUGH}: {', '.join(words)}."
        for base, words in found.items()
    )


def words_of_cell(figures: "Figures", name: str, verdict: Verdict) -> str:
    """Return `count_words` of a cell of a report."""
    own = figures.exact_summaries[name]
    before, after = own.get(verdict.cell.in_release(verdict.base)), own.get(verdict.cell)
    if before is None or after is None:
        return name.replace("_", " ")
    return count_words(name, before, after, verdict)


def count_words(name: str, before: Summary, after: Summary, verdict: Verdict) -> str:
    """Return `allocations per operation 3 → 4 (+33.3 %)`, or that the number is the same.

    A count that differed between runs of one release has its verdict in words.
    """
    words = name.replace("_", " ")
    sides = [f"{_count(each.median)}{_unit(name)}" for each in (before, after)]
    is_exact = verdict.evidence is Evidence.COUNT
    if is_exact and not verdict.state.is_change:
        return f"{words} {sides[1]}, as before"
    ratio = verdict.comparison and verdict.comparison.ratio
    details = [percent_change(ratio)] if ratio else []
    if not is_exact:
        details.append(state_words(verdict))
    change = f" ({', '.join(details)})" if details else ""
    return f"{words} {sides[0]} → {sides[1]}{change}"


def state_words(verdict: Verdict) -> str:
    """Return the verdict on a count: `more`, `the same`, `noisy (within ±12 %)`."""
    row = verdict.state.row
    if row.direction:
        return row.word.replace(row.direction, WORDS[row.direction])
    return "the same" if verdict.evidence is Evidence.COUNT else verdict.words


def exact_verdicts_of(figures: "Figures", cell: CellKey) -> Iterator[tuple[str, Verdict]]:
    """Yield the verdicts on the counts of a cell, each with the name of its metric."""
    for name, verdicts in figures.exact_verdicts.items():
        for verdict in verdicts.of_cell(cell):
            if verdict.comparison or verdict.evidence is Evidence.COUNT:
                yield name, verdict


def _count(value: float) -> str:
    return fixed(value, 0) if value.is_integer() else number(value)


def _unit(name: str) -> str:
    unit = meaning_of(name).unit
    return "" if unit in name else f" {unit}"
