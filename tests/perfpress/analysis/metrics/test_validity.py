"""Which runs count: medians, costs and charts agree on it."""

import gzip
from dataclasses import replace
from pathlib import Path

import pytest
from bundle_samples import pgbench_log
from perfpress.analysis.metrics.series import OverTime, over_time
from perfpress.analysis.metrics.validity import (
    BREAKS_OFF,
    FOR_THE_PROFILE,
    NOTHING_DONE,
    validity_of,
    why_no_number,
    why_not,
)
from perfpress.analysis.study.study import StepRun
from perfpress.input.corrections.corrected import Exclusion
from perfpress.site.report_figures import Figures
from step_run_samples import VMSTAT, step_run, valid_metrics
from study_samples import captured, cell_of, profile_on_disk, repeats, study_of

INCOMPLETE = "pgbench: error: Run was aborted; the above results are incomplete.\n"
PROGRESS = "".join(
    f"progress: {second}.0 s, {100.0 * second} tps, lat 1.000 ms stddev 0.1\n"
    for second in range(1, 5)
)


def cut(rate: float) -> dict[str, str | bytes]:
    """Return a log that states its throughput, and that it is of no whole run."""
    return {"select.txt": PROGRESS + pgbench_log(rate) + INCOMPLETE}


def test_a_whole_log_of_a_valid_run_counts(tmp_path: Path) -> None:
    run = step_run(tmp_path / "a")
    assert why_not(run, "throughput") == ""
    assert valid_metrics(run) == {*run.measured}


def test_a_metric_that_no_log_has_is_not_taken_for_a_throughput(tmp_path: Path) -> None:
    run = step_run(tmp_path / "a")
    assert why_not(run, "latency_p95") == "no log has the latency p95"


def test_reasons_in_their_order(tmp_path: Path) -> None:
    profiled = {"capture": {"separate_run": True}}
    invalid = Exclusion("invalid", "Disk was full.", None)
    cut_short = step_run(tmp_path / "a", step=profiled, files=cut(1.0), exclusion=invalid)
    assert why_not(cut_short, "throughput") == "invalid: Disk was full", "more may follow it"
    valid = replace(cut_short, run=replace(cut_short.run, exclusions=()))
    assert why_not(valid, "throughput") == FOR_THE_PROFILE
    assert why_no_number(valid, "throughput") == BREAKS_OFF
    idle = step_run(tmp_path / "b", files={"select.txt": pgbench_log(0.0)})
    assert {why_not(idle, name) for name in idle.measured} == {NOTHING_DONE}


@pytest.mark.parametrize(("how", "outcome"), [("cut", "was cut short"), ("failed", "failed")])
def test_nothing_counts_of_a_run_that_did_not_come_to_its_end(
    tmp_path: Path, how: str, outcome: str
) -> None:
    ended = {"how": how, "reason": "status 1 after 3 s"}
    run = step_run(tmp_path / "a", step={"ended": ended})
    assert validity_of(run, "throughput") == (how, f"the run {outcome}: status 1 after 3 s")
    assert why_no_number(run, "operations") == f"the run {outcome}: status 1 after 3 s"
    assert valid_metrics(run) == set()


def test_a_log_that_breaks_off_leaves_the_other_logs_alone(tmp_path: Path) -> None:
    run = step_run(
        tmp_path / "a",
        step={"logs": ["select.txt", "vmstat.txt"]},
        files={"vmstat.txt": VMSTAT, **cut(1.0)},
    )
    assert why_not(run, "throughput") == BREAKS_OFF
    assert why_not(run, "cpu_user") == ""
    assert "throughput" not in valid_metrics(run)


@pytest.mark.parametrize("files", [cut(1000.0), {"select.txt": pgbench_log(0.0)}])
def test_what_is_in_no_median_is_in_no_cost_either(
    files: dict[str, str | bytes], tmp_path: Path
) -> None:
    run = captured(tmp_path, "18", files=files)
    whole = repeats(tmp_path, "18", [500.0])
    study = study_of([*whole, run], [profile_on_disk(tmp_path, "18")])
    figures = Figures(study)
    assert figures.cost(cell_of("18")) is None
    assert run.bundle.run_id in str(figures.work[cell_of("18")])


def test_fixed_work_of_a_run_that_was_aborted_is_not_known(tmp_path: Path) -> None:
    def cost(release: str, files: dict[str, str | bytes]) -> float | None:
        run = captured(
            tmp_path, release, capture={"seconds": None}, step={"work": "fixed"}, files=files
        )
        assert "operations" in run.measured
        return Figures(study_of([run], [profile_on_disk(tmp_path, release)])).cost(cell_of(release))

    # 1000 cycles; pgbench's log is of two seconds
    assert cost("17", {"select.txt": pgbench_log(1000.0)}) == 0.5
    assert cost("18", cut(1000.0)) is None


def test_the_host_s_cost_is_of_the_runs_that_count(tmp_path: Path) -> None:
    def with_vmstat(name: str, rate: float, log: str) -> StepRun:
        return step_run(
            tmp_path / name,
            step={"logs": ["select.txt", "vmstat.txt"]},
            changes={"machine": {"cpus": 8}},
            files={"select.txt": log, "vmstat.txt": VMSTAT},
            rate=rate,
        )

    good = with_vmstat("a", 2000.0, pgbench_log(2000.0))
    bad = with_vmstat("b", 1.0, str(cut(1.0)["select.txt"]))
    (numbers,) = Figures(study_of([good, bad])).efficiency.values()
    assert numbers["cpu_per_operation"].value == pytest.approx(2000.0)
    (none,) = Figures(study_of([bad])).efficiency.values()
    assert none["cpu_per_operation"].reason == "no run that counts"


def test_a_vmstat_log_that_breaks_off_is_in_no_cost(tmp_path: Path) -> None:
    run = step_run(
        tmp_path / "a",
        step={"logs": ["select.txt", "vmstat.txt.gz"]},
        changes={"machine": {"cpus": 8}},
        files={"vmstat.txt.gz": gzip.compress(VMSTAT.encode())[:-4]},
    )
    assert "cpu_user" in run.measured
    (numbers,) = Figures(study_of([run])).efficiency.values()
    assert numbers["cpu_per_operation"].reason == "no whole vmstat log"


def test_charts_are_of_the_runs_that_count(tmp_path: Path) -> None:
    good = step_run(tmp_path / "a", files={"select.txt": PROGRESS + pgbench_log(250.0)})
    disturbed = captured(tmp_path, "18", files={"select.txt": PROGRESS + pgbench_log(252.0)})
    stated = {"throughput": {"value": 253.0, "unit": "operations/s", "better": "higher"}}
    bad = [
        step_run(tmp_path / "b", files=cut(251.0)),
        disturbed,
        step_run(tmp_path / "c", step={"metrics": stated}, files=cut(254.0)),
    ]
    assert all(reading.series for each in bad for reading in each.readings)

    def drawn(runs: list[StepRun]) -> OverTime | None:
        return over_time(study_of(runs), "socket2", "select", "throughput", 10, list)

    found = drawn([good, *bad])
    assert found is not None
    assert {release: len(series) for release, series in found.series.items()} == {"18": 1}
    assert drawn(bad) is None
