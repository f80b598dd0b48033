"""Describes the largest changes of functions in steps without throughput."""

from collections.abc import Mapping, Sequence

from perfpress.base.display import NO_VALUE, plural
from perfpress.base.node.messages.findings import Change, Findings
from perfpress.base.units import noun
from perfpress.site.addresses import diff_address, release_address
from perfpress.site.report_figures import DiffKey, Figures
from perfpress.site.shapes.blocks import Phrase, Sentence
from perfpress.site.words.author_rates import relative_cost_sentence
from perfpress.site.words.suspects import change_words

MOST_STEPS = 3
"""Sentences, of the steps that changed most; the table has all."""
MOST_NAMED = 2
"""Functions of each direction."""
NO_RATES = "Profiles only, no throughput."


def largest_share_changes(
    figures: Figures, release: str, variant: str, findings: Mapping[DiffKey, Findings]
) -> Sentence:
    """Return the largest change of a release's steps in either direction; nothing without a diff.

    `8.0 against 5.6, largest changes beyond noise in share of cycles: memcpy +3.1 points in scan,
    memcmp −2.2 points in insert. Profiles only, no throughput.`
    """
    report, base = figures.study.report, figures.study.base_of(variant)
    own = _of_shares(figures, release, variant, findings)
    if not own:
        return ()
    pair = (
        Phrase(text=figures.study.label(release), url=release_address(report, release)),
        Phrase(text=" against "),
        Phrase(text=figures.study.label(base), url=release_address(report, base)),
    )
    unit = next(iter(own.values())).unit
    named = [
        max(changes, key=lambda each: abs(each[1].net))
        for changes in (
            [(key, change) for key, found in own.items() for change in found.additions],
            [(key, change) for key, found in own.items() for change in found.savings],
        )
        if changes
    ]
    if not named:
        words = f": no function’s share of {noun(unit)} changed beyond noise. {NO_RATES}"
        return (*pair, Phrase(text=words))
    parts: list[Phrase] = []
    for key, change in named:
        cell = key.cell
        comma = ", " if parts else ""
        parts.append(Phrase(text=f"{comma}{change_words(change, own[key])} in "))
        parts.append(
            Phrase(
                text=cell.step,
                url=diff_address(report, cell, key.base),
            )
        )
    return (
        *pair,
        Phrase(text=f", largest changes beyond noise in share of {noun(unit)}: "),
        *parts,
        Phrase(text=f". {NO_RATES}"),
    )


def share_sentences(
    figures: Figures, release: str, variant: str, findings: Mapping[DiffKey, Findings]
) -> tuple[Sentence, ...]:
    """Return what changed in the steps of a release against the base, a sentence a step.

    `scan, 5.6 → 8.0: 9 functions take more of the cycles beyond noise, most memcpy +3.1 points and
    memcmp +0.2 points; no function takes less.`
    """
    own = _of_shares(figures, release, variant, findings)
    changed = sorted(own, key=lambda key: -_largest(own[key]))
    return tuple(_sentence(figures, key, own[key]) for key in changed[:MOST_STEPS])


def largest_by_step(
    figures: Figures, release: str, variant: str, findings: Mapping[DiffKey, Findings]
) -> dict[str, tuple[str, str]]:
    """Return the largest increase and decrease in share of each step against the base, in words."""
    own = _of_shares(figures, release, variant, findings)
    return {
        key.cell.step: (
            change_words(found.additions[0], found) if found.additions else NO_VALUE,
            change_words(found.savings[0], found) if found.savings else NO_VALUE,
        )
        for key, found in sorted(own.items(), key=lambda each: -_largest(each[1]))
    }


def step_change_sentences(
    figures: Figures, findings: Mapping[DiffKey, Findings], key: DiffKey
) -> tuple[Sentence, ...]:
    """Return what changed in one step: its cost by the author's rates, or the shares of functions.

    Nothing where there is no diff, or logs show the costs.
    """
    found = findings.get(key)
    if found and found.basis == "share":
        return (_sentence(figures, key, found),)
    cost = relative_cost_sentence(figures, key, found) if found else ""
    return ((Phrase(text=cost),),) if cost else ()


def diff_share_sentence(figures: Figures, key: DiffKey, found: Findings) -> Sentence:
    """Return the summary of a diff of shares for the top of its page; empty for a diff of costs."""
    if found.basis != "share":
        return ()
    rates = figures.summaries["throughput"]
    no_rates = "" if {key.cell, key.base_cell} & rates.keys() else f" {NO_RATES}"
    text = "".join(phrase.text for phrase in _sentence(figures, key, found))
    return (Phrase(text=f"{text}{no_rates}"),)


def _of_shares(
    figures: Figures, release: str, variant: str, findings: Mapping[DiffKey, Findings]
) -> dict[DiffKey, Findings]:
    """Return the findings of a release against the base whose costs are not known."""
    return {
        key: found
        for key, found in findings.items()
        if (key.cell.release, key.cell.variant) == (release, variant)
        and figures.is_against_base(key)
        and found.basis == "share"
    }


def _largest(findings: Findings) -> float:
    changes = (*findings.additions, *findings.savings)
    return max((abs(each.net) for each in changes), default=0.0)


def _sentence(figures: Figures, key: DiffKey, findings: Findings) -> Sentence:
    cell = key.cell
    page = diff_address(figures.study.report, cell, key.base)
    pair = f"{findings.base.label} \N{RIGHTWARDS ARROW} {findings.after.label}"
    more, less = findings.additions, findings.savings
    if not more and not less:
        words = f": no function’s share of {noun(findings.unit)} changed beyond noise."
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
    named = " and ".join(change_words(each, findings) for each in changes[:MOST_NAMED])
    most = " most" if len(changes) > MOST_NAMED else ""
    return f",{most} {named}" if named else ""
