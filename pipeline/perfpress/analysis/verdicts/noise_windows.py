"""The noise that each release is judged by: that of a bounded window of releases.

Were it that of all releases, every run would move it, and with it each page that quotes it. Windows
end with blocks of releases, which are counted from the first one: a run of the newest release moves
the noise of its own block alone, and a run of an old one that of the blocks whose window it is in.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace

from perfpress.analysis.metrics.throughput import Summary
from perfpress.analysis.study.profiles import CellKey, StepKey
from perfpress.analysis.verdicts.days import with_processes
from perfpress.analysis.verdicts.noise import NoiseModel
from perfpress.analysis.verdicts.noise_model import noise_model
from perfpress.analysis.verdicts.variances import Variance
from perfpress.base.cache import key_of
from perfpress.base.kept_results import Kept, made_now
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
    summaries: Mapping[CellKey, Summary],
    report: Report,
    days: Mapping[str, str],
    kept: Kept[NoiseModel] = made_now,
) -> Noises:
    """Return the noise models of a metric: see `noise_model`.

    Releases that the report declares to be the same code are in all windows: they are few, and the
    best that is known.

    Args:
        summaries: of the metric, by cell.
        report: as for `noise_model`.
        days: as for `noise_model`.
        kept: returns what is known of windows.
    """
    of_releases: dict[str, dict[CellKey, Summary]] = {}
    for cell, summary in summaries.items():
        of_releases.setdefault(cell.release, {})[cell] = summary
    order = [each.id for each in report.releases if each.id in of_releases]
    same_code = {release for group in report.matter.same_code for release in group}
    branch = {each.id for each in report.of_default_branch}
    declared = (report.matter.prior, report.matter.same_code, report.twin_variants)
    measured = {
        release: key_of(
            release in branch,
            [
                (cell, each.runs, each.values, [days.get(run) for run in each.runs])
                for cell, each in own.items()
            ],
        )
        for release, own in of_releases.items()
    }
    models: dict[range, NoiseModel] = {}
    found: dict[str, NoiseModel] = {}
    for place, release in enumerate(order):
        window = window_of(place, len(order))
        if window not in models:
            own = same_code.union(order[each] for each in window)
            shown = [each for each in order if each in own]
            cells = {cell: of_cell for each in shown for cell, of_cell in of_releases[each].items()}

            def model(cells: Mapping[CellKey, Summary] = cells) -> NoiseModel:
                # The days of all runs are none of what a window shows.
                return replace(noise_model(cells, report, days), days={})

            known = kept((declared, [measured[each] for each in shown]), model)
            models[window] = replace(known, days=with_processes(days, cells.values()))
        found[release] = models[window]
    return found


def noise_of_stretches(
    noise: Noises, line: StepKey
) -> Callable[[Mapping[str, Summary]], Variance | None]:
    """Return a function: the noise of a part of a line, as its newest release has it."""
    return lambda stretch: noise[[*stretch][-1]].of_release(line, [*stretch.values()])
