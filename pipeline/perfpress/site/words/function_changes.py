"""Says which functions changed most in steps whose shares alone are known."""

from collections.abc import Mapping, Sequence

from perfpress.base.display import brief_function, plural, signed
from perfpress.base.node.messages.findings import Change, Findings
from perfpress.site.addresses import diff_address
from perfpress.site.report_figures import DiffKey, Figures
from perfpress.site.shapes.blocks import Phrase, Sentence

MOST_STEPS = 3
"""Sentences, of the steps that changed most; the table has all."""
MOST_NAMED = 2
"""Functions of each direction."""


def share_sentences(
    figures: Figures, release: str, variant: str, findings: Mapping[DiffKey, Findings]
) -> tuple[Sentence, ...]:
    """Return what changed in the steps of a release against the base, a sentence a step.

    `scan, 5.6 → 8.0: 9 functions take more of the cycles beyond noise, most memcpy +3.1 points and
    memcmp +0.2 points; no function takes less.`
    """
    base = figures.study.report.base
    own = {
        key: found
        for key, found in findings.items()
        if (key.cell.release, key.cell.variant, key.base) == (release, variant, base)
        and found.basis == "share"
    }
    changed = sorted(own, key=lambda key: -_largest(own[key]))
    return tuple(_sentence(figures, key, own[key]) for key in changed[:MOST_STEPS])


def step_share_sentences(
    figures: Figures, findings: Mapping[DiffKey, Findings], key: DiffKey
) -> tuple[Sentence, ...]:
    """Return what changed in one step; nothing where there is no diff, or costs are known."""
    found = findings.get(key)
    return (_sentence(figures, key, found),) if found and found.basis == "share" else ()


def _largest(findings: Findings) -> float:
    changes = (*findings.additions, *findings.savings)
    return max((abs(each.net) for each in changes), default=0.0)


def _sentence(figures: Figures, key: DiffKey, findings: Findings) -> Sentence:
    cell = key.cell
    page = diff_address(figures.study.report, cell.release, cell.step, cell.variant, key.base)
    pair = f"{findings.base.label} \N{RIGHTWARDS ARROW} {findings.after.label}"
    more, less = findings.additions, findings.savings
    if not more and not less:
        words = f": no function’s share of {findings.unit} changed beyond noise."
    else:
        words = (
            f": {_counted(more)} more of the {findings.unit} beyond noise{_named(findings, more)}; "
            f"{_counted(less)} less{_named(findings, less)}."
        )
    return Phrase(text=f"{cell.step}, {pair}", url=page), Phrase(text=words)


def _counted(changes: Sequence[Change]) -> str:
    if len(changes) < 2:
        return "one function takes" if changes else "no function takes"
    return f"{plural(len(changes), 'function')} take"


def _named(findings: Findings, changes: Sequence[Change]) -> str:
    """Return `, most memcpy +3.1 points and memcmp +0.2 points`."""
    named = " and ".join(
        f"{brief_function(each.name)} {signed(each.net * findings.shown.factor, 1)} points"
        for each in changes[:MOST_NAMED]
    )
    most = " most" if len(changes) > MOST_NAMED else ""
    return f",{most} {named}" if named else ""
