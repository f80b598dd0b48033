"""Describes the cost per operation by the author's relative rates, and its largest change."""

from collections.abc import Mapping, Sequence

from perfpress.base.display import PERCENT, fixed, number, short_name
from perfpress.base.node.messages.findings import Findings
from perfpress.site.report_figures import DiffKey, Figures

MOST = 3
"""Steps that a release's page names; its table has all."""
LEAST = 0.005
"""Change of the cost: a smaller one is shown as none."""


def relative_cost_sentence(figures: Figures, key: DiffKey, found: Findings) -> str:
    """Return the change of an operation's cost and its largest part; empty without such rates."""
    if found.basis != "relative_cost" or found.base.whole <= 0:
        return ""
    study = figures.study
    operation, label = study.operation(key.cell.step), study.label(key.cell.release)
    ratio = found.after.whole / found.base.whole
    sentence = (
        f"One {operation} on {label} costs {fixed(ratio, 2)}× what it costs on "
        f"{study.label(key.base)}, by the author’s rates"
    )
    change = ratio - 1
    listed = found.additions if change > 0 else found.savings
    if abs(change) < LEAST or not listed:
        return f"{sentence}."
    first = listed[0]
    part = (first.after - first.base) / found.base.whole
    direction = "more" if change > 0 else "less"
    return (
        f"{sentence}: {_points(change)}{PERCENT} {direction}, of which {_points(part)} points are "
        f"{first.name} with everything it called."
    )


def author_rates_notes(figures: Figures, variant: str, steps: Sequence[str]) -> tuple[str, ...]:
    """Return the rates by which costs of steps are known, where no log has them.

    Steps are named where they have rates of their own.
    """
    by_rates: dict[str, list[str]] = {}
    for step in steps:
        rates = figures.author_rates.get((variant, step), {})
        listed = ", ".join(
            f"{figures.study.label(release)} {number(rates[release], 2)}"
            for release in figures.study.releases_with(variant, step)
            if release in rates
        )
        if listed:
            by_rates.setdefault(listed, []).append(short_name(step))
    notes = []
    for listed, own in by_rates.items():
        of = f" of {', '.join(own)}" if len(by_rates) > 1 else ""
        notes.append(f"The author’s relative rates{of}: {listed}.")
    return tuple(notes)


def release_cost_sentences(
    figures: Figures, release: str, findings: Mapping[DiffKey, Findings]
) -> tuple[str, ...]:
    """Return the sentences of the steps whose cost changed most against the base."""
    own = {
        key: found
        for key, found in findings.items()
        if key.cell.release == release and figures.is_against_base(key) and found.base.whole > 0
    }
    changed = sorted(own, key=lambda key: -abs(own[key].change.whole / own[key].base.whole))
    sentences = {key: relative_cost_sentence(figures, key, own[key]) for key in changed}
    return tuple(f"{key.cell.step}: {each}" for key, each in sentences.items() if each)[:MOST]


def _points(part: float) -> str:
    """Return a part of what the base costs, in percent of it, without its sign."""
    percent = abs(100 * part)
    return fixed(percent, 0 if percent >= 10 else 1)
