"""The frame of all metrics, and the summaries and comparisons made from it."""

import dataclasses
from pathlib import Path

import msgspec
from hypothesis import given
from hypothesis import strategies as st
from perfpress.analysis.metrics.metrics import COLUMNS, metrics_frame
from perfpress.analysis.metrics.throughput import (
    Summary,
    against,
    compare,
    summaries_of,
    summarise,
)
from perfpress.analysis.metrics.validity import values_of
from perfpress.analysis.study.profiles import CellKey
from perfpress.analysis.verdicts.noise import NoiseSource
from perfpress.analysis.verdicts.noise_model import COMMON_PRIOR, noise_model
from perfpress.input.corrections.corrected import Exclusion
from perfpress.input.report.front_matter import Release
from perfpress.input.report.report import Report
from step_run_samples import step_run

CELL = CellKey("18", "socket2", "select")


def test_every_number_is_a_row_with_its_place(tmp_path: Path) -> None:
    run = step_run(tmp_path / "a", rate=1234.5)
    frame = metrics_frame([run])
    assert list(frame.columns) == list(COLUMNS)
    (row,) = frame[frame["metric"] == "throughput"].to_dict("records")
    assert row == {
        "report": "postgres-releases",
        "release": "18",
        "variant": "socket2",
        "step": "select",
        "run": run.bundle.run_id,
        "metric": "throughput",
        "value": 1234.5,
        "unit": "operations/s",
        "better": "higher",
        "file": "select.txt",
        "line": 10,
        "in_figures": True,
        "why_not": "",
    }
    assert set(frame["metric"]) == {
        "operations",
        "latency_average",
        "connection_time",
        "throughput",
    }


def test_no_runs_give_an_empty_frame_with_all_columns() -> None:
    frame = metrics_frame([])
    assert list(frame.columns) == list(COLUMNS)


def test_rows_that_do_not_count_say_why(tmp_path: Path) -> None:
    cut = "\n".join(["pgbench (15)", "latency average = 3.0 ms", ""])
    runs = [
        step_run(tmp_path / "good"),
        step_run(tmp_path / "bad", 2.0, exclusion=Exclusion("invalid", "disk was full", None)),
        step_run(
            tmp_path / "old",
            3.0,
            exclusion=Exclusion("superseded", "a rerun", None, replacement="undated-1"),
        ),
        step_run(tmp_path / "profiled", step={"capture": {"separate_run": True}}),
        step_run(tmp_path / "cut", files={"select.txt": cut}),
        step_run(
            tmp_path / "nothing",
            step={"logs": None, "metrics": {"throughput": {"value": 0.0, "unit": "operations/s"}}},
        ),
    ]
    frame = metrics_frame(runs)
    reasons = {
        run.bundle.run_id: set(frame[frame["run"] == run.bundle.run_id]["why_not"]) for run in runs
    }
    assert [reasons[run.bundle.run_id] for run in runs] == [
        {""},
        {"invalid: disk was full"},
        {"superseded by undated-1: a rerun"},
        {"a profiling run, made for its profile"},
        {"the log breaks off, or says itself that it is of no whole run"},
        {"no operation was finished"},
    ]
    assert (frame["in_figures"] == (frame["why_not"] == "")).all()
    assert values_of(runs, "throughput") == {CELL: {runs[0].bundle.run_id: 1000.0}}


def test_a_number_stated_twice_counts_once(tmp_path: Path) -> None:
    run = step_run(
        tmp_path / "a",
        step={
            "metrics": {"throughput": {"value": 7.0, "unit": "operations/s", "better": "higher"}}
        },
    )
    rows = metrics_frame([run])
    rows = rows[rows["metric"] == "throughput"]
    assert sorted(zip(rows["value"], rows["file"], rows["why_not"], strict=True)) == [
        (7.0, "run.toml", ""),
        (1000.0, "select.txt", "stated a second time; that of run.toml counts"),
    ]


def report_of(*releases: tuple[str, str]) -> Report:
    return Report(
        id="r",
        title="r",
        base=releases[0][0],
        default_variant="socket2",
        releases=tuple(Release(id=name, branch=branch) for name, branch in releases),
        variants={"socket2": "socket2"},
        steps=("select",),
    )


def test_summary_of_repeats() -> None:
    summary = summarise({"a": 3.0, "b": 1.0, "c": 2.0})
    assert (summary.runs, summary.values) == (("a", "b", "c"), (3.0, 1.0, 2.0))
    assert (summary.median, summary.low, summary.high) == (2.0, 1.0, 3.0)
    assert summary.interval is None
    assert summarise({str(at): float(at) for at in range(6)}).interval is not None


def test_the_runs_of_a_release_are_held_once_for_all_its_steps() -> None:
    some, other = (summarise({str(run): value for run in (1, 2)}) for value in (3.0, 4.0))
    assert some.runs is other.runs


def test_a_cell_is_compared_with_that_of_another_release() -> None:
    summaries = {
        CellKey(release, "socket2", "select"): summarise({"r": value})
        for release, value in (("12", 100.0), ("18", 120.0))
    }
    compared = against(summaries, CELL, "12")
    assert compared is not None
    assert (compared.base, compared.ratio) == ("12", 1.2)
    assert against(summaries, CELL, "16") is None, "without a run"
    assert against(summaries, CELL, "18") is None, "itself"
    assert against(summaries, CELL, None) is None
    assert against(summaries, CellKey("18", "other", "select"), "12") is None


def test_the_range_is_that_of_all_pairs_of_repeats() -> None:
    comparison = compare(
        summarise({"a": 90.0, "b": 110.0}), "16", summarise({"c": 100.0, "d": 200.0, "e": 100.0})
    )
    assert comparison is not None
    assert comparison.ratio == 1.0
    assert (comparison.low, comparison.high) == (0.45, 1.1)


def test_nothing_is_compared_with_nothing() -> None:
    assert compare(summarise({"a": 1.0}), "16", summarise({"b": 0.0})) is None


repeats = st.lists(st.floats(1, 1e6), min_size=1, max_size=8).map(
    lambda values: summarise({str(at): value for at, value in enumerate(values)})
)


@given(repeats, repeats)
def test_the_range_holds_the_ratio_of_the_medians(after: Summary, before: Summary) -> None:
    comparison = compare(after, "16", before)
    assert comparison is not None
    tolerance = 1e-9
    assert comparison.low <= comparison.ratio * (1 + tolerance)
    assert comparison.ratio <= comparison.high * (1 + tolerance)


def test_processes_of_a_run_are_its_repeats_and_share_its_day(tmp_path: Path) -> None:
    forks = {"17": (1000.0, 1010.0, 990.0), "18": (900.0, 905.0, 895.0)}
    runs = []
    for release, rates in forks.items():
        made = step_run(tmp_path / release, 1000.0, changes={"release": release})
        rate = msgspec.structs.replace(made.measured["throughput"], processes=rates)
        runs.append(dataclasses.replace(made, measured={**made.measured, "throughput": rate}))
    summaries = summaries_of(runs, "throughput")
    (before, after) = (summaries[CellKey(name, "socket2", "select")] for name in forks)
    assert (before.values, before.median, len(set(before.runs))) == (forks["17"], 1000, 1)
    comparison = compare(after, "17", before)
    assert comparison is not None
    assert (comparison.count, comparison.of) == (3, "processes")
    one_process = summarise({"run": 1000.0})
    for sides in ((before, one_process), (one_process, before)):
        against_one = compare(sides[0], "17", sides[1])
        assert against_one is not None
        assert against_one.of == "processes"
    noise = noise_model(summaries, report_of(("17", "main"), ("18", "main")), {})
    between = noise.between(("socket2", "select"), after, before)
    # What two runs differ by beyond their processes no process shows: the prior of a day stands in.
    assert between.sources == (NoiseSource.REPEATS, NoiseSource.PRIOR)
    assert between.of_ratio(3, 3).value > COMMON_PRIOR.value
