"""Describes how exact counts of two files or directories differ: instructions, allocations."""

from collections import Counter
from collections.abc import Iterator, Sequence

from perfpress.analysis.comparison.rates import ComparedRates, ComparedStep
from perfpress.analysis.verdicts.states import leading
from perfpress.analysis.verdicts.verdicts import Evidence
from perfpress.base.display import plural
from perfpress.input.logs.metric_names import EXACT
from perfpress.site.shapes.comparison import AnswerSentence
from perfpress.site.words.exact_counts import ONE_IS_ENOUGH, count_words, state_words


def answer_of_counts(rates: ComparedRates, base: str, after: str) -> AnswerSentence | None:
    """Return what logs without a rate counted; None where they counted nothing."""
    counted = [step for step in rates.steps if step.counts]
    if not counted:
        return None
    row = leading(each.state for step in counted for _, each in step.counts).row
    steps = "" if len(counted) == 1 else f", {plural(len(counted), 'step')}"
    text = f"{after} against {base}{steps}, counted: {_words(counted)}."
    return AnswerSentence(text, row.tone if row.direction else "", row.mark)


def count_sentences(rates: ComparedRates) -> Iterator[str]:
    """Yield what was counted beside rates, or why that is enough where there are none."""
    counted = [step for step in rates.steps if step.counts]
    verdicts = [each for step in counted for _, each in step.counts]
    if not verdicts:
        return
    if any(step.rate for step in rates.steps):
        is_exact = all(each.evidence is Evidence.COUNT for each in verdicts)
        enough = f", {ONE_IS_ENOUGH}" if is_exact else ""
        yield f"Counted{enough}: {_words(counted)}."
    else:
        for why in dict.fromkeys(each.why for each in verdicts):
            yield f"{why[:1].upper()}{why[1:]}."


def _words(counted: Sequence[ComparedStep]) -> str:
    """Return all numbers of one step; of several, in how many each metric changed."""
    if len(counted) == 1:
        return ", ".join(
            count_words(each.name, each.base, each.after, verdict)
            for each, verdict in counted[0].counts
        )
    return "; ".join(_of_steps(counted))


def _of_steps(counted: Sequence[ComparedStep]) -> Iterator[str]:
    """Yield `executed instructions more in 2, the same in 3` of each metric."""
    for name in EXACT:
        own = [verdict for step in counted for each, verdict in step.counts if each.name == name]
        own.sort(key=lambda verdict: verdict.state.row.rank)
        if own:
            states = Counter(map(state_words, own))
            parts = (f"{words} in {count}" for words, count in states.items())
            yield f"{name.replace('_', ' ')} {', '.join(parts)}"
