"""The readings of logs, kept by the content of their run."""

import tracemalloc
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import msgspec
import pytest
from bundle_samples import good_bundle, pgbench_log
from perfpress.analysis.study import cached_readings, measured
from perfpress.analysis.study.cached_readings import MOST_IN_MEMORY, read_all_logs
from perfpress.analysis.study.measured import logs_of, read_logs
from perfpress.analysis.study.study import step_runs_of
from perfpress.base import pace
from perfpress.base.cache import Cache
from perfpress.input.bundles.read import Bundle
from perfpress.input.corrections.corrected import CorrectedRun
from perfpress.input.logs.readings import LogReading
from perfpress.input.logs.workers import LogFile, read_each


def bundle_of(directory: Path, rate: float) -> Bundle:
    return good_bundle(
        directory,
        {"step": [{"name": "select", "operation": "transaction", "logs": ["select.txt"]}]},
        {"select.txt": pgbench_log(rate)},
    )


def nothing(_: str) -> None:
    pass


def read_all(bundles: Sequence[Bundle], cache: Cache) -> list[tuple[tuple[LogReading, ...], ...]]:
    return [
        tuple(tuple(of_step) for of_step in of_run)
        for _, of_run in read_all_logs(bundles, cache, nothing)
    ]


def test_what_was_read_once_is_not_read_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cache = Cache(tmp_path / "cache")
    bundles = [bundle_of(tmp_path / str(rate), rate) for rate in (1000.0, 2000.0)]
    first = read_all(bundles, cache)
    assert first == [read_logs(bundle, bundle.steps) for bundle in bundles]

    read: list[str] = []

    def counting(logs: Sequence[LogFile], processes: int) -> list[LogReading]:
        read.extend(log.shown_as for log in logs)
        return read_each(logs, processes)

    monkeypatch.setattr(measured, "read_each", counting)
    new = bundle_of(tmp_path / "new", 3000.0)
    again = read_all([*bundles, new], cache)
    assert again[:2] == first
    assert read == [log.shown_as for log in logs_of(new, new.steps)]


def test_what_all_runs_are_asked_for_is_read_without_their_logs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cache = Cache(tmp_path / "cache")
    bundle = bundle_of(tmp_path / "run", 1000.0)
    run = CorrectedRun(bundle, ())
    (new,) = step_runs_of(run, read_all_logs([bundle], cache, nothing)[0])
    monkeypatch.setattr(cached_readings, "_readings_at", None)
    (cached,) = step_runs_of(run, read_all_logs([bundle], cache, nothing)[0])
    assert cached.measured == new.measured
    assert cached.outline == new.outline


def test_what_logs_hold_over_time_stays_on_the_disk(tmp_path: Path) -> None:
    names = [f"s{number}" for number in range(4 * MOST_IN_MEMORY)]
    steps = [{"name": name, "operation": "row", "logs": [f"{name}.txt"]} for name in names]
    progress = "".join(
        f"progress: {second}.0 s, {1000 + second}.5 tps, lat 2.5 ms stddev 0.5, 0 failed\n"
        for second in range(200)
    )
    log = progress + pgbench_log(1000.0)
    bundle = good_bundle(tmp_path / "run", {"step": steps}, {f"{name}.txt": log for name in names})
    cache = Cache(tmp_path / "cache")
    read_all_logs([bundle], cache, nothing)

    def memory_of(make: Callable[[], object]) -> int:
        tracemalloc.start()
        made = make()
        size, _ = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        assert made
        return size

    run = CorrectedRun(bundle, ())
    on_demand = memory_of(lambda: step_runs_of(run, read_all_logs([bundle], cache, nothing)[0]))
    assert on_demand < memory_of(lambda: read_all([bundle], cache)) / 2


def test_steps_that_a_correction_changes_are_read_anew(tmp_path: Path) -> None:
    cache = Cache(tmp_path / "cache")
    bundle = bundle_of(tmp_path / "run", 1000.0)
    (before,) = read_all_logs([bundle], cache, nothing)
    hinted = msgspec.structs.replace(bundle.steps[0], formats={"select.txt": "vmstat"})
    (after,) = read_all_logs([replace(bundle, steps=(hinted,))], cache, nothing)
    assert before.readings[0][0].format == "pgbench"
    assert after.readings[0][0].format == "vmstat"


def test_progress_of_reading_is_reported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pace, "REPORT_EVERY", -1.0)
    messages: list[str] = []
    bundle = bundle_of(tmp_path / "run", 1000.0)
    monkeypatch.setattr(cached_readings, "AT_ONCE", 1)
    other = bundle_of(tmp_path / "other", 2000.0)
    read_all_logs([bundle, other], Cache(tmp_path / "cache"), messages.append)
    assert messages == ["reading the logs of runs: 1 of 2, less than a minute left"]


def test_what_was_read_of_a_log_that_changed_meanwhile_is_not_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cache = Cache(tmp_path / "cache")
    bundle = bundle_of(tmp_path / "run", 1000.0)
    log = bundle.directory / "select.txt"
    good = log.read_text()

    def while_it_is_written(logs: Sequence[LogFile], processes: int) -> list[LogReading]:
        log.write_text(pgbench_log(2000.0))
        return read_each(logs, processes)

    with monkeypatch.context() as patch:
        patch.setattr(measured, "read_each", while_it_is_written)
        (wrong,) = read_all([bundle], cache)
    log.write_text(good)
    (right,) = read_all([bundle], cache)
    assert right == read_logs(bundle, bundle.steps)
    assert right != wrong
