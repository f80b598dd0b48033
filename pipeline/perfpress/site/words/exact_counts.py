"""What is counted and not timed, against other releases: one run is enough to see a change."""

from collections.abc import Iterator

from perfpress.analysis.study.profiles import CellKey
from perfpress.analysis.verdicts.verdicts import Evidence, Verdict
from perfpress.base.display import fixed, number, percent_change
from perfpress.input.logs.metric_names import meaning_of
from perfpress.site.report_figures import Figures


def exact_count_sentences(figures: Figures, cell: CellKey) -> tuple[str, ...]:
    """Return a sentence for each release that a cell is compared with, for its pages."""
    found: dict[str, list[str]] = {}
    for name, verdicts in figures.exact_verdicts.items():
        for verdict in verdicts.values():
            if verdict.cell == cell and verdict.evidence is Evidence.COUNT:
                found.setdefault(verdict.base, []).append(count_words(figures, name, verdict))
    label = figures.study.label
    return tuple(
        f"Counted against {label(base)}, where one run is enough: {', '.join(words)}."
        for base, words in found.items()
    )


def count_words(figures: Figures, name: str, verdict: Verdict) -> str:
    """Return `allocations per operation 3 → 4 (+33.3 %)`, or that the number is the same."""
    sides = [
        figures.exact_summaries[name].get(each)
        for each in (verdict.cell.in_release(verdict.base), verdict.cell)
    ]
    words = name.replace("_", " ")
    if sides[0] is None or sides[1] is None:
        return words
    before, after = (f"{_count(each.median)}{_unit(name)}" for each in sides if each)
    if not verdict.state.is_change:
        return f"{words} {after}, as before"
    ratio = verdict.comparison and verdict.comparison.ratio
    change = f" ({percent_change(ratio)})" if ratio else ""
    return f"{words} {before} → {after}{change}"


def exact_verdicts_of(figures: Figures) -> Iterator[tuple[str, Verdict]]:
    """Yield the verdicts on counts, each with the name of its metric."""
    for name, verdicts in figures.exact_verdicts.items():
        for verdict in verdicts.values():
            if verdict.comparison or verdict.evidence is Evidence.COUNT:
                yield name, verdict


def _count(value: float) -> str:
    return fixed(value, 0) if value.is_integer() else number(value)


def _unit(name: str) -> str:
    unit = meaning_of(name).unit
    return "" if unit in name else f" {unit}"
