"""Describes what changed between the profiles of two files or directories."""

from collections.abc import Mapping, Sequence

from perfpress.analysis.comparison.profiles import ComparedProfile
from perfpress.base.display import percent_change, plural, short_name, signed
from perfpress.base.node.messages.findings import Change, Findings
from perfpress.base.units import noun, weight_text
from perfpress.site.words.suspects import change_words, changes_sentences

SHARES = (
    "Changes in share, not in cost: nothing says how much work each did (if it was the same, say "
    "--same-work)."
)
SAME_WORK = "Changes in cost: the captures are taken to cover the same work."


def answer_of_profile(compared: ComparedProfile, base: str, after: str) -> str:
    """Return what changed most between two profiles, in one sentence."""
    found = compared.diff.changes
    what = noun(compared.unit)
    largest = [changes[0] for changes in (found.additions, found.savings) if changes]
    if found.basis != "share":
        whole = found.base.whole
        change = percent_change(found.after.whole / whole) if whole > 0 else ""
        of = "" if compared.is_same_work else " per operation"
        size = change.lstrip("+\N{MINUS SIGN}")
        word = "more" if found.change.whole > 0 else "less"
        text = f"{after} takes {size} {word} {what}{of} than {base}"
        return f"{text}{_of_costs(compared)}."
    if not largest:
        return f"No function’s share of {what} changed beyond noise from {base} to {after}."
    named = ", ".join(change_words(each, found) for each in largest)
    return f"Largest changes from {base} to {after}, in share of {what}: {named}."


def _of_costs(compared: ComparedProfile) -> str:
    """Return `, most in memcpy +4.2 %, memcmp −1.1 % of that of before`."""
    found = compared.diff.changes
    largest = [changes[0] for changes in (found.additions, found.savings) if changes]
    if not largest or found.base.whole <= 0:
        return "" if found.spread_evenly else "; no function changed beyond noise"
    named = ", ".join(
        f"{short_name(each.name)} {percent_change(1 + each.net / found.base.whole)}"
        for each in largest
    )
    return f"; largest changes: {named} of the whole"


def profile_sentences(compared: ComparedProfile) -> tuple[str, ...]:
    """Return how much could be matched, and how large the changes are together."""
    found = compared.diff.changes
    sentences = [f"{compared.diff.matched}."]
    if compared.diff.functions_first:
        sentences.append("That is little: the call trees differ, so read the functions alone.")
    if found.basis == "share" and (found.additions or found.savings):
        sentences.append(_sum_of_shares(found))
    return tuple(sentences)


def _sum_of_shares(found: Findings) -> str:
    """Return what the parts of the change add up to: shares add up to 100 % on either side."""
    rest = signed(100 * (found.change.even + found.change.rest), 1)
    return (
        f"{_counted(found.additions)} more beyond noise, {_counted(found.savings).lower()} less; "
        f"with all other code ({rest} points) that adds up to 0."
    )


def _counted(changes: Sequence[Change]) -> str:
    if len(changes) < 2:
        return "One function takes" if changes else "No function takes"
    return f"{plural(len(changes), 'function')} take"


def profile_notes(compared: ComparedProfile, base: str, after: str) -> tuple[str, ...]:
    """Return what the profiles are of, and what their noise is known from."""
    found = compared.diff.changes
    totals = [int(compared.base.total), int(compared.after.total)]
    weights = [weight_text(total, compared.unit) for total in totals]
    ratio = f" ({percent_change(totals[1] / totals[0])})" if totals[0] else ""
    of_what = SAME_WORK if compared.is_same_work else SHARES if found.basis == "share" else ""
    captures = (*compared.base.captures, *compared.after.captures)
    lost = sum(capture.lost for capture in captures)
    sums = f"In all: {weights[0]} in {base}, {weights[1]} in {after}{ratio}."
    return (
        sums,
        *changes_sentences(found, of_what),
        *compared.diff.threads,
        *((f"{plural(lost, 'sample')} lost.",) if lost else ()),
        *(
            (f"Both also have {', '.join(compared.others)}: choose with --event.",)
            if compared.others
            else ()
        ),
    )


def worst_first(profiles: Mapping[str, ComparedProfile]) -> Sequence[ComparedProfile]:
    """Return the profiles, that with the largest change of a function first."""

    def size(compared: ComparedProfile) -> float:
        found = compared.diff.changes
        whole = max(found.base.whole, found.after.whole) or 1.0
        changes = (*found.additions, *found.savings)
        return max((abs(each.net) / whole for each in changes), default=0.0)

    return sorted(profiles.values(), key=size, reverse=True)
