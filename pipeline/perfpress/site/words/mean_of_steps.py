"""Words on the mean of all steps, for pages and for two files."""

from math import sqrt

from perfpress.analysis.verdicts.mean_of_steps import MeanOfSteps
from perfpress.analysis.verdicts.noise_model import COMMON_PRIOR
from perfpress.analysis.verdicts.verdicts import MEANINGLESS, p_words
from perfpress.base.display import ratio_text

LEAN_LEVEL = 0.01
"""The most that p of a sign test may be: of eight steps all lean one way, of thirty 23."""


def assumption_of(mean: MeanOfSteps) -> str:
    """Return what a mean of steps rests on where few releases do not show it; else nothing."""
    if not mean.rests_on_prior:
        return ""
    return f", assuming that builds differ by {100 * sqrt(COMMON_PRIOR.value):g} % by chance"


def interval_of(mean: MeanOfSteps, *, is_time: bool = False) -> str:
    """Return ` (95 % interval ×0.951 to ×1.010)`; nothing of one too wide to say anything.

    `is_time` turns the ratio of rates into that of times.
    """
    low, high = mean.interval
    if max(high, 1 / low) > 1 + MEANINGLESS:
        return ""
    if is_time:
        low, high = 1 / high, 1 / low
    return f" (95 % interval ×{ratio_text(low)} to ×{ratio_text(high)}{assumption_of(mean)})"


def lean_of(mean: MeanOfSteps) -> str:
    """Return that more steps lean one way than their own noise makes; else nothing."""
    if mean.p_of_lean > LEAN_LEVEL:
        return ""
    of = "all" if mean.leaning == mean.steps else f"{mean.leaning} of"
    way, word = ("above", "faster") if mean.ratio > 1 else ("below", "slower")
    return (
        f" The ratios of {of} {mean.steps} steps are {way} 1, which the noise of single steps does "
        f"not explain (sign test, p {p_words(mean.p_of_lean)}): the release is {word}, or its "
        "build or day was."
    )
