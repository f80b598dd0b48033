"""The noise that each release is judged by: that of a bounded window of releases.

Were it that of all releases, every run would move it, and with it each page that quotes it. Windows
end with blocks of releases, which are counted from the first one: a run of the newest release moves
the noise of its own block alone, and a run of an old one that of the blocks whose window it is in.
"""

from collections.abc import Callable, Mapping

from perfpress.analysis.metrics.throughput import Summary
from perfpress.analysis.study.profiles import CellKey, StepKey
from perfpress.analysis.verdicts.noise_model import NoiseModel, noise_model
from perfpress.analysis.verdicts.variances import Variance
from perfpress.input.report.report import Report

BLOCK = 8
"""Releases that share a window."""
WINDOW = 64
"""Releases, at most: with one run a cell, fewer show less, and machines do not stay the same."""
FEWEST_IN_WINDOW = 32
"""The first releases have the noise of so many, though most of them are later."""

Noises = Mapping[str, NoiseModel]
"""By release: the noise model that it is judged by."""


def window_of(place: int, count: int) -> range:
    """Return the places of the releases that show the noise of the one at a place, of so many."""
    end = max((place // BLOCK + 1) * BLOCK, FEWEST_IN_WINDOW)
    return range(max(0, end - WINDOW), min(end, count))


def noise_models(
    summaries: Mapping[CellKey, Summary], report: Report, days: Mapping[str, str]
) -> Noises:
    """Return the noise models of a metric: see `noise_model`.

    Releases that the report declares to be the same code are in all windows: they are few, and the
    best that is known.
    """
    of_releases: dict[str, dict[CellKey, Summary]] = {}
    for cell, summary in summaries.items():
        of_releases.setdefault(cell.release, {})[cell] = summary
    order = [each.id for each in report.releases if each.id in of_releases]
    same_code = {release for group in report.matter.same_code for release in group}
    models: dict[range, NoiseModel] = {}
    found: dict[str, NoiseModel] = {}
    for place, release in enumerate(order):
        window = window_of(place, len(order))
        if window not in models:
            own = same_code.union(order[each] for each in window)
            cells = {
                cell: summary
                for each in order
                if each in own
                for cell, summary in of_releases[each].items()
            }
            models[window] = noise_model(cells, report, days)
        found[release] = models[window]
    return found


def noise_of_stretches(
    noise: Noises, line: StepKey
) -> Callable[[Mapping[str, Summary]], Variance | None]:
    """Return a function: the noise of a part of a line, as its newest release has it."""
    return lambda stretch: noise[[*stretch][-1]].of_release(line, [*stretch.values()])
