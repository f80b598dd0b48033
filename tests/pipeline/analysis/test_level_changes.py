"""Changes of level along the releases of a step, and what pages say of them."""

from random import Random
from typing import Any

import pytest

from pipeline.analysis.level_changes import Levels, levels_of
from pipeline.analysis.throughput import Summary, summarise
from pipeline.report.front_matter import Release
from pipeline.report.report import Report
from pipeline.study.profiles import CellKey


def report_of(*releases: Release, **changes: Any) -> Report:
    facts: dict[str, Any] = {
        "id": "servers",
        "title": "Servers",
        "base": releases[0].id,
        "default_variant": "lab1",
        "releases": releases,
        "variants": {"lab1": "lab1"},
        "steps": ("select",),
    }
    return Report(**(facts | changes))


def summaries_of(rates: dict[str, list[float]]) -> dict[CellKey, Summary]:
    return {
        CellKey(release, "lab1", "select"): summarise(
            {f"run{at}": rate for at, rate in enumerate(values)}
        )
        for release, values in rates.items()
    }


def series(*levels: tuple[float, int]) -> dict[str, list[float]]:
    random = Random(3)
    values = [random.gauss(level, level / 200) for level, count in levels for _ in range(count)]
    return {f"r{at:02}": [value] for at, value in enumerate(values)}


def levels(rates: dict[str, list[float]], **changes: Any) -> Levels | None:
    releases = tuple(Release(id=each) for each in rates)
    return levels_of(report_of(*releases, **changes), summaries_of(rates), "lab1", "select")


def test_a_fall_is_told_with_its_release_and_both_levels() -> None:
    found = levels(series((1000, 8), (900, 6)))
    assert found is not None
    (change,) = found.changes
    assert change.release == "r08"
    assert (change.releases_before, change.releases_after) == (8, 6)
    assert change.before == pytest.approx(1000, rel=0.01)
    assert change.after == pytest.approx(900, rel=0.01)
    assert change.ratio == pytest.approx(0.9, rel=0.01)
    assert change.p < 0.0001


def test_several_changes_count_the_releases_between_them() -> None:
    found = levels(series((1000, 8), (800, 6), (600, 7)))
    assert found is not None
    assert [each.release for each in found.changes] == ["r08", "r14"]
    assert [(each.releases_before, each.releases_after) for each in found.changes] == [
        (8, 6),
        (6, 7),
    ]


def test_fewer_than_ten_releases_are_no_series() -> None:
    assert levels(series((1000, 5), (500, 4))) is None
    steady = levels(series((1000, 10)))
    assert steady is not None
    assert steady.changes == ()
    assert len(steady.releases) == 10


def test_a_release_counts_once_by_its_median_and_a_missing_one_not_at_all() -> None:
    rates = series((1000, 8), (900, 6))
    rates["r03"] = [1.0, *rates["r03"] * 2]
    releases = [Release(id=each) for each in rates]
    report = report_of(*releases[:5], Release(id="without"), *releases[5:])
    found = levels_of(report, summaries_of(rates), "lab1", "select")
    assert found is not None
    assert [each.release for each in found.changes] == ["r08"]
    assert "without" not in found.releases


def test_releases_of_other_branches_are_no_part_of_the_series() -> None:
    rates = series((1000, 12))
    patched = {"patched": [500.0], "patched-too": [510.0]}
    releases = [Release(id=each) for each in rates]
    others = [Release(id=each, branch="patched") for each in patched]
    report = report_of(*releases[:6], *others, *releases[6:])
    found = levels_of(report, summaries_of(rates | patched), "lab1", "select")
    assert found is not None
    assert found.releases == tuple(rates)
    assert found.changes == ()


def test_releases_that_did_nothing_failed_and_are_no_level_of_the_series() -> None:
    steady = list(series((1000, 16)).items())
    failed = {f"s{at}": [0.0] for at in range(6)}
    found = levels(dict(steady[:8]) | failed | dict(steady[8:]))
    assert found is not None
    assert found.releases == tuple(release for release, _ in steady)
    assert found.changes == ()
    assert levels(dict(steady[:8]) | failed) is None
