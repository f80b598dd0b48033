"""The readings of logs, kept by the content of their run."""

from dataclasses import replace
from pathlib import Path

import msgspec
import pytest
from bundle_samples import good_bundle, pgbench_log

from pipeline.build.cache import Cache
from pipeline.bundle.read import Bundle
from pipeline.study import kept_readings
from pipeline.study.kept_readings import read_all_logs
from pipeline.study.measured import read_logs


def bundle_of(directory: Path, rate: float) -> Bundle:
    return good_bundle(
        directory,
        {"step": [{"name": "select", "operation": "transaction", "logs": ["select.txt"]}]},
        {"select.txt": pgbench_log(rate)},
    )


def nothing(_: str) -> None:
    pass


def test_what_was_read_once_is_not_read_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cache = Cache(tmp_path / "cache")
    bundles = [bundle_of(tmp_path / str(rate), rate) for rate in (1000.0, 2000.0)]
    first = read_all_logs(bundles, cache, nothing)
    assert first == tuple(read_logs(bundle, bundle.steps) for bundle in bundles)

    read: list[str] = []

    def counting(bundle: Bundle, _: object) -> tuple[()]:
        read.append(bundle.run_id)
        return ()

    monkeypatch.setattr(kept_readings, "read_logs", counting)
    new = bundle_of(tmp_path / "new", 3000.0)
    again = read_all_logs([*bundles, new], cache, nothing)
    assert again == (*first, ())
    assert read == [new.run_id]


def test_steps_that_a_correction_changes_are_read_anew(tmp_path: Path) -> None:
    cache = Cache(tmp_path / "cache")
    bundle = bundle_of(tmp_path / "run", 1000.0)
    (before,) = read_all_logs([bundle], cache, nothing)
    hinted = msgspec.structs.replace(bundle.steps[0], formats={"select.txt": "vmstat"})
    (after,) = read_all_logs([replace(bundle, steps=(hinted,))], cache, nothing)
    assert before[0][0].format == "pgbench"
    assert after[0][0].format == "vmstat"


def test_it_is_told_how_far_the_reading_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kept_readings, "TELL_EVERY", -1.0)
    told: list[str] = []
    bundle = bundle_of(tmp_path / "run", 1000.0)
    read_all_logs([bundle, bundle], Cache(tmp_path / "cache"), told.append)
    assert told == ["reading the logs of run 1 of 2", "reading the logs of run 2 of 2"]
