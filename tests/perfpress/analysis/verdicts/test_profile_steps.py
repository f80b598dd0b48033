"""Steps that were run for their profiles alone: no release lacks a rate of them."""

from pathlib import Path

from perfpress.site.report_figures import Figures
from study_samples import captured, repeats, study_of


def test_a_step_of_profiling_runs_alone_has_no_verdict(tmp_path: Path) -> None:
    runs = [captured(tmp_path / release, release) for release in ("17", "18")]
    assert Figures(study_of(runs)).verdicts == {}


def test_a_release_that_was_only_profiled_is_missing_where_another_has_rates(
    tmp_path: Path,
) -> None:
    runs = [*repeats(tmp_path, "17", [1000.0, 1001.0]), captured(tmp_path / "x", "18")]
    (verdict,) = Figures(study_of(runs)).verdicts.values()
    assert verdict.state.row.word == "missing"
