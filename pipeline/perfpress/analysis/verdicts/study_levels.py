"""The noise and the levels of all steps of a report, of which a new run changes few."""

from collections.abc import Mapping
from itertools import product

from perfpress.analysis.metrics.throughput import Summary
from perfpress.analysis.study.profiles import CellKey, StepKey
from perfpress.analysis.study.study import Study
from perfpress.analysis.verdicts.change_points import Segmentation
from perfpress.analysis.verdicts.days import run_days
from perfpress.analysis.verdicts.level_changes import SeriesLevels, levels_of
from perfpress.analysis.verdicts.noise import NoiseModel
from perfpress.analysis.verdicts.noise_windows import Noises, noise_models, noise_of_stretches


def noise_of_study(study: Study, metric: str, summaries: Mapping[CellKey, Summary]) -> Noises:
    """Return the noise models of a metric of a report."""
    with study.kept.of(("noise", study.report.id, metric), NoiseModel) as kept:
        return noise_models(summaries, study.report, run_days(study.runs), kept)


def levels_of_study(
    study: Study, metric: str, summaries: Mapping[CellKey, Summary], noise: Noises
) -> Mapping[StepKey, SeriesLevels]:
    """Return the levels of a metric, of the steps that have releases enough."""
    report = study.report
    releases = [each.id for each in report.of_default_branch]
    found = {}
    for key in product(report.variants, report.steps):
        cells = {release: CellKey(release, *key) for release in releases}
        own = {each: summaries[cell] for each, cell in cells.items() if cell in summaries}
        with study.kept.of(("levels", report.id, metric, *key), Segmentation) as kept:
            levels = levels_of(metric, own, noise_of_stretches(noise, key), kept)
        if levels:
            found[key] = levels
    return found
