"""Describes how the rates of two files or directories differ: the answer, and what it rests on."""

from collections import Counter

from perfpress.analysis.comparison.rates import RATE, TIME, ComparedRates, ComparedStep
from perfpress.analysis.verdicts.states import State, leading
from perfpress.analysis.verdicts.verdicts import Evidence, Verdict
from perfpress.base.display import decimals_for, fixed, percent_change, plural
from perfpress.base.units import shown_time
from perfpress.site.shapes.comparison import AnswerSentence
from perfpress.site.words.all_steps import mean_words, response_time_words
from perfpress.site.words.compared_counts import count_sentences

THE_PRIOR = (
    "The prior: equal runs on a quiet machine differ by about 2 %; these logs do not show how much."
)
REPEAT = (
    "Repeat it: from five runs a side on a test decides (a directory a side, with numbered logs or "
    "subdirectories)."
)


def answer_of_rates(rates: ComparedRates, base: str, after: str) -> AnswerSentence | None:
    """Return what the logs say; None where neither side has a rate."""
    judged = [step for step in rates.steps if step.rate]
    if not judged:
        return None
    if len(judged) == 1:
        return _of_one_step(judged[0], base, after)
    counts = Counter(step.rate.state for step in judged if step.rate)
    parts = [f"{count} {state.row.counted}" for state in State if (count := counts[state])]
    text = f"{after} against {base}, {plural(len(judged), 'step')}: {', '.join(parts)}."
    is_time = all(step.is_time for step in judged)
    if rates.mean:
        states = [step.rate.state for step in judged if step.rate]
        of = "times" if is_time else "rates"
        words = mean_words(rates.mean, states, is_time=is_time)
        text += f" Geometric mean of the {of}: {words}"
    row = leading(counts).row
    return AnswerSentence(text, row.tone if row.direction or row.gate == "fail" else "", row.mark)


def _of_one_step(step: ComparedStep, base: str, after: str) -> AnswerSentence:
    verdict = step.rate
    assert verdict is not None
    row = verdict.state.row
    if verdict.comparison is None:
        against = row.against.format(base=base)
        return AnswerSentence(f"{after}: {against}: {verdict.why}.", row.tone, row.mark)
    details = [_runs(verdict)]
    if row.has_limit and verdict.within is not None:
        details.insert(0, f"within ±{100 * verdict.within:.2g} %")
    if verdict.state.is_change:
        ratio = 1 / verdict.comparison.ratio if step.is_time else verdict.comparison.ratio
        size = percent_change(ratio).lstrip("+\N{MINUS SIGN}")
        word: str = row.direction
        if step.is_time:
            word = "longer" if row.direction == "slower" else "less time"
        verb = "takes" if step.is_time else "is"
        text = f"{after} {verb} {size} {word} than {base}"
    else:
        text = f"{after}: {row.against.format(base=base)}"
    return AnswerSentence(f"{text} ({'; '.join(details)}): {_change(step)}.", row.tone, row.mark)


def _runs(verdict: Verdict) -> str:
    compared = verdict.comparison
    assert compared is not None
    counts = compared.base_count, compared.count
    return "one run each" if counts == (1, 1) else f"{counts[0]} and {counts[1]} runs"


def _change(step: ComparedStep) -> str:
    """Return `40,525 → 35,540 operations/s`."""
    metric = step.metric(TIME) if step.is_time else step.metric(RATE)
    if metric is None:
        return ""
    values = [metric.base.median, metric.after.median]
    unit = metric.unit
    if unit == "ns":
        factor, unit = shown_time(max(values))
        values = [value * factor for value in values]
    texts = [fixed(value, decimals_for(values)) for value in values]
    return f"{texts[0]} → {texts[1]} {unit}"


def evidence_sentences(rates: ComparedRates) -> tuple[str, ...]:
    """Return what verdicts rest on, and what to do where that is little."""
    verdicts = [step.rate for step in rates.steps if step.rate and step.rate.comparison]
    if not verdicts:
        return tuple(count_sentences(rates))
    evidence = Counter(verdict.evidence for verdict in verdicts)
    if len(verdicts) == 1:
        sentences = [f"{verdicts[0].why[:1].upper()}{verdicts[0].why[1:]}."]
    else:
        runs = Counter(_runs(verdict) for verdict in verdicts)
        usual = runs.most_common(1)[0][0]
        parts = ", ".join(
            f"{each} in {evidence[each]}" if len(evidence) > 1 else each
            for each in Evidence
            if evidence[each]
        )
        mostly = "" if len(runs) == 1 else " in most"
        sentences = [
            f"{usual[:1].upper()}{usual[1:]}{mostly}; verdicts rest on {parts}, adjusted for "
            f"{plural(len(verdicts), 'comparison')}."
        ]
    if Evidence.PRIOR in evidence:
        sentences.append(THE_PRIOR)
    if any(map(_is_of_one_run, verdicts)):
        sentences.append(REPEAT)
    sentences += count_sentences(rates)
    if words := _response_times(rates):
        sentences.append(f"{words[:1].upper()}{words[1:]}.")
    environment = next((each.environment for each in verdicts if each.environment), ())
    if environment:
        sentences.append(f"Also different: {', '.join(environment)}.")
    return tuple(sentences)


def _is_of_one_run(verdict: Verdict) -> bool:
    compared = verdict.comparison
    return compared is not None and min(compared.count, compared.base_count) == 1


def _response_times(rates: ComparedRates) -> str:
    """Return in how many steps response times changed; nothing for a single step."""
    found = [each.response_time for each in rates.steps]
    compared = [each for each in found if each and each.comparison]
    return response_time_words(compared) if len(compared) > 1 else ""
