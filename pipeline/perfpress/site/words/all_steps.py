"""Words on all steps together, for pages and for two files."""

from collections.abc import Sequence
from math import sqrt

from perfpress.analysis.verdicts.mean_of_steps import MeanOfSteps
from perfpress.analysis.verdicts.noise import NoiseSource
from perfpress.analysis.verdicts.noise_model import COMMON_PRIOR
from perfpress.analysis.verdicts.states import State
from perfpress.analysis.verdicts.verdicts import MEANINGLESS, Verdict, p_words
from perfpress.base.display import fixed, plural, ratio_text, short_name

LEAN_LEVEL = 0.01
"""The most that p of a sign test may be: of eight steps all lean one way, of thirty 23."""

MOST_OF_IT = 0.6
"""The part of a mean from which on a single step is named as its cause."""


def mean_words(
    mean: MeanOfSteps, states: Sequence[State], *, since: str = "", is_time: bool = False
) -> str:
    """Return how large a mean is, and whether it is more than noise.

    `×0.702, slower beyond noise (p = 0.0004, one run), since 10.5.29.`

    Steps that changed by themselves are no noise, also where the mean does not show it: what the
    steps of a build have in common may be as large. `×1.019, no more than neighbouring releases
    differ (95 % interval ×0.812 to ×1.279).` Where none did, `×0.980, which may be noise (…).`

    Args:
        mean: of the ratios of rates.
        states: of the verdicts on its steps.
        since: the label of the release that it changed with.
        is_time: whether the ratios of times are shown, which are those of rates turned over.
    """
    text = f"×{_shown(mean.ratio, is_time=is_time)}"
    if mean.is_change:
        text += f", {'faster' if mean.ratio > 1 else 'slower'} beyond noise (p {p_words(mean.p)}"
        text += f"{', one run' if mean.is_one_run else ''}{_assumption(mean)})"
        text += f", since {since}" if since else ""
        return f"{text}{_largest(mean, is_time=is_time)}."
    interval = _interval(mean, is_time=is_time)
    changed = [each for each in states if each.is_change]
    if not changed:
        return f"{text}, which may be noise{interval}.{_lean(mean)}"
    if mean.source is NoiseSource.NEIGHBOURS:
        text += f", no more than neighbouring releases differ{interval}"
    else:
        text += f", by itself not beyond noise{interval}"
    is_mixed = len({each.row.direction for each in changed}) > 1
    is_known = is_mixed or 2 * len(changed) >= mean.leaning
    return f"{text}.{'' if is_known else _lean(mean)}"


def _shown(ratio: float, *, is_time: bool) -> str:
    return ratio_text(1 / ratio if is_time else ratio)


def _largest(mean: MeanOfSteps, *, is_time: bool) -> str:
    """Return that a single step makes most of the mean; else nothing."""
    largest = mean.largest
    if largest.part <= MOST_OF_IT:
        return ""
    without = _shown(largest.ratio_without, is_time=is_time)
    return f", mostly from {short_name(largest.step)}: ×{without} without it"


def _assumption(mean: MeanOfSteps) -> str:
    """Return what a mean of steps rests on where few releases do not show it; else nothing."""
    if not mean.rests_on_prior:
        return ""
    return f", assuming that builds differ by {100 * sqrt(COMMON_PRIOR.value):g} % by chance"


def _interval(mean: MeanOfSteps, *, is_time: bool) -> str:
    """Return ` (95 % interval ×0.951 to ×1.010)`; nothing of one too wide to say anything."""
    low, high = mean.interval
    if max(high, 1 / low) > 1 + MEANINGLESS:
        return ""
    ends = [_shown(each, is_time=is_time) for each in ((high, low) if is_time else (low, high))]
    return f" (95 % interval ×{ends[0]} to ×{ends[1]}{_assumption(mean)})"


def _lean(mean: MeanOfSteps) -> str:
    """Return that more steps lean one way than their own noise makes; else nothing."""
    if mean.p_of_lean > LEAN_LEVEL:
        return ""
    of = "All" if mean.leaning == mean.steps else f"{mean.leaning} of"
    way, word = ("above", "faster") if mean.ratio > 1 else ("below", "slower")
    return (
        f" {of} {mean.steps} ratios are {way} 1 (sign test, p {p_words(mean.p_of_lean)}): the "
        f"release is {word}, or its build or day was."
    )


def response_time_words(verdicts: Sequence[Verdict]) -> str:
    """Return in how many steps response times changed, and how far; empty where they did in none.

    `the 95th percentile of response times is longer in 30 of 37 steps (up to ×2.90), shorter in 2
    (down to ×0.80)`
    """
    ratios = [
        each.comparison.ratio for each in verdicts if each.comparison and each.state.is_change
    ]
    longer = sorted((ratio for ratio in ratios if ratio > 1), reverse=True)
    shorter = sorted(ratio for ratio in ratios if ratio <= 1)
    found: list[str] = []
    for word, end, own in (("longer", "up to ", longer), ("shorter", "down to ", shorter)):
        if own:
            of = "" if found else f" of {plural(len(verdicts), 'step')}"
            largest = f"{end if len(own) > 1 else ''}×{fixed(own[0], 2)}"
            found.append(f"{word} in {len(own)}{of} ({largest})")
    return f"the 95th percentile of response times is {', '.join(found)}" if found else ""
