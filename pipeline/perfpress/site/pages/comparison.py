"""Arranges the answer of `perfpress compare`: what two files or directories differ by."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from perfpress.analysis.comparison.profiles import ComparedProfile
from perfpress.base.display import short_name
from perfpress.site.shapes.comparison import AnswerSentence, ComparisonPage, ProfileChanges
from perfpress.site.tables.compared_functions import functions_table
from perfpress.site.words.compared_profiles import (
    answer_of_profile,
    profile_notes,
    profile_sentences,
    worst_first,
)

if TYPE_CHECKING:  # imports scipy, which profiles alone do without
    from perfpress.analysis.comparison.rates import ComparedRates


def comparison_page(
    base: str,
    after: str,
    rates: "ComparedRates | None",
    profiles: Mapping[str, ComparedProfile],
    notes: Sequence[str],
) -> ComparisonPage:
    """Return the answer.

    Args:
        base: what one side is called.
        after: what the other is called.
        rates: what the logs say; None without any.
        profiles: of the steps of which both sides have captures.
        notes: what could not be compared.
    """
    base, after = short_name(base), short_name(after)
    answer: AnswerSentence | None = None
    evidence: tuple[str, ...] = ()
    table = None
    if rates:
        from perfpress.site.tables.compared_rates import rates_table
        from perfpress.site.words.compared_counts import answer_of_counts
        from perfpress.site.words.compared_rates import answer_of_rates, evidence_sentences

        answer = answer_of_rates(rates, base, after) or answer_of_counts(rates, base, after)
        evidence = evidence_sentences(rates)
        table = rates_table(rates.steps, base, after)
    ordered = worst_first(profiles)
    is_of_profiles = answer is None and bool(ordered)
    if answer is None:
        text = (
            answer_of_profile(ordered[0], base, after)
            if ordered
            else f"No rate of {base} and {after}: their other numbers are compared."
        )
        answer = AnswerSentence(text)
    changes = tuple(
        _changes(each, base, after, has_heading=len(ordered) > 1, is_told=is_of_profiles and not at)
        for at, each in enumerate(ordered)
    )
    return ComparisonPage(
        title=f"{base} and {after}",
        answer=answer,
        sentences=evidence,
        rates=table,
        changes=changes,
        notes=tuple(notes),
    )


def _changes(
    compared: ComparedProfile, base: str, after: str, *, has_heading: bool, is_told: bool
) -> ProfileChanges:
    first = () if is_told else (answer_of_profile(compared, base, after),)
    return ProfileChanges(
        heading=short_name(compared.step) if has_heading else "",
        sentences=(*first, *profile_sentences(compared)),
        table=functions_table(compared.diff.changes),
        drawing=str(compared.drawing or ""),
        notes=profile_notes(compared, base, after),
    )
