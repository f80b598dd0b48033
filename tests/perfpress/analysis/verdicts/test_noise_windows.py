"""What a run more changes: the noise and the levels that verdicts of a release rest on."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from perfpress.analysis.metrics.throughput import Summary, summarise
from perfpress.analysis.study.profiles import CellKey
from perfpress.analysis.verdicts.change_points import Segmentation
from perfpress.analysis.verdicts.level_changes import levels_of
from perfpress.analysis.verdicts.mean_of_steps import MeansOfSteps
from perfpress.analysis.verdicts.noise import NoiseModel
from perfpress.analysis.verdicts.noise_windows import noise_models, noise_of_stretches, window_of
from perfpress.analysis.verdicts.verdicts import JudgedMetric, verdicts_on_cells
from perfpress.base.cache import Cache
from perfpress.base.kept_results import Kept, KeptResults
from perfpress.input.report.report import Report
from simulated import Archive, levels_in, measured, outliers, unlike_steps

RELEASES, STEPS = 90, 8


def judged(metric: JudgedMetric, report: Report, base: str | None = None) -> dict[str, object]:
    """Return what pages of each release say, by release: against a base, or the one before it."""
    means = MeansOfSteps(metric.summaries, metric.noise, report)
    found: dict[str, object] = {}
    for before, after in pairwise(each.id for each in report.releases):
        against = base or before
        cells = [CellKey(after, "a", step) for step in report.steps]
        found[after] = (
            verdicts_on_cells(metric, report, cells, against),
            means.of(cells, against),
            [
                each
                for levels in metric.levels.values()
                for kind in (levels.changes, levels.flukes)
                for each in kind
                if each.release == after
            ],
        )
    return found


def with_one_more(metric: JudgedMetric, report: Report, release: str) -> JudgedMetric:
    """Return the metric with a run more of each step of a release."""
    more = {
        cell: summarise({**dict(zip(runs.runs, runs.values, strict=True)), "more": runs.median})
        if cell.release == release
        else runs
        for cell, runs in metric.summaries.items()
    }
    noise = noise_models(more, report, {})
    return replace(metric, summaries=more, noise=noise, levels=levels_in(more, noise, report))


def moved(before: dict[str, object], after: dict[str, object]) -> list[int]:
    """Return the places of the releases of which something else is said."""
    return [int(release) for release in before if before[release] != after[release]]


@pytest.fixture(scope="module")
def archive() -> tuple[JudgedMetric, Report]:
    """Return an archive of releases with changes of all sizes and flukes."""
    random = np.random.default_rng(4)
    logs = unlike_steps(random, (RELEASES, STEPS, 2)) + outliers(random, (RELEASES, STEPS, 2))
    logs[9:, :3] -= 0.1
    logs[74:, 2:6] += 0.05
    logs[30, 7] -= 0.4
    return measured(Archive(logs))


def among(places: Iterable[int], first: int, last: int) -> bool:
    return all(first <= each <= last for each in places)


def test_a_run_of_the_newest_release_changes_nothing_that_is_said_of_old_ones(
    archive: tuple[JudgedMetric, Report],
) -> None:
    metric, report = archive
    more = with_one_more(metric, report, "89")
    for base in ("0", None):
        newest = moved(judged(metric, report, base), judged(more, report, base))
        assert 89 in newest
        assert among(newest, 74, 89), newest
        assert len(newest) <= 8


def test_a_run_of_an_old_release_changes_what_is_said_of_those_near_it(
    archive: tuple[JudgedMetric, Report],
) -> None:
    metric, report = archive
    near = moved(judged(metric, report), judged(with_one_more(metric, report, "12"), report))
    assert 12 in near
    assert among(near, 0, 75), near


def test_windows_end_with_blocks_and_hold_enough_releases() -> None:
    assert window_of(0, 9) == window_of(8, 9) == range(9)
    assert window_of(0, 90) == window_of(31, 90) == range(32)
    assert window_of(32, 90) == window_of(39, 90) == range(40)
    assert window_of(63, 90) == range(64)
    assert window_of(64, 90) == window_of(71, 90) == range(8, 72)
    assert window_of(89, 90) == range(32, 90)


def test_a_stretch_of_releases_is_judged_by_the_noise_of_its_newest(
    archive: tuple[JudgedMetric, Report],
) -> None:
    metric, _ = archive
    line = ("a", "step0")
    stretch = {str(at): metric.summaries[CellKey(str(at), *line)] for at in range(60, 73)}
    of_newest = metric.noise["72"].of_release(line, list(stretch.values()))
    assert noise_of_stretches(metric.noise, line)(stretch) == of_newest
    assert of_newest is not None
    before = metric.noise["71"].of_release(line, list(stretch.values()))
    assert of_newest != before, "a block begins with release 72"


def test_a_run_more_computes_the_windows_and_stretches_that_it_is_in(
    archive: tuple[JudgedMetric, Report], tmp_path: Path
) -> None:
    metric, report = archive
    results = KeptResults(Cache(tmp_path))
    computed = {"windows": 0, "stretches": 0}

    def counting(what: str, kept: Kept[Any]) -> Kept[Any]:
        def counted(inputs: object, make: Callable[[], Any]) -> Any:
            def made() -> Any:
                computed[what] += 1
                return make()

            return kept(inputs, made)

        return counted

    def computed_of(summaries: Mapping[CellKey, Summary]) -> tuple[int, int]:
        computed.update(windows=0, stretches=0)
        with results.of(("noise",), NoiseModel) as kept:
            noise = noise_models(summaries, report, {}, counting("windows", kept))
        assert noise == noise_models(summaries, report, {})
        for step in report.steps:
            line = ("a", step)
            series = {each.id: summaries[CellKey(each.id, *line)] for each in report.releases}
            of_stretch = noise_of_stretches(noise, line)
            with results.of(("levels", *line), Segmentation) as kept_levels:
                found = levels_of(
                    "throughput", series, of_stretch, counting("stretches", kept_levels)
                )
            assert found == levels_of("throughput", series, of_stretch)
        return computed["windows"], computed["stretches"]

    whole = computed_of(metric.summaries)
    assert whole == (len({window_of(at, RELEASES) for at in range(RELEASES)}), 7 * STEPS)
    assert computed_of(metric.summaries) == (0, 0)
    newest = with_one_more(metric, report, str(RELEASES - 1)).summaries
    assert computed_of(newest) == (1, STEPS)
