"""Words on the mean of all steps, for pages and for two files."""

from math import sqrt

from perfpress.analysis.verdicts.mean_of_steps import MeanOfSteps
from perfpress.analysis.verdicts.noise_model import COMMON_PRIOR


def assumption_of(mean: MeanOfSteps) -> str:
    """Return what a mean of steps rests on where few releases do not show it; else nothing."""
    if not mean.rests_on_prior:
        return ""
    return f", assuming that builds differ by {100 * sqrt(COMMON_PRIOR.value):g} % by chance"
