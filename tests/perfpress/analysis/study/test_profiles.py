"""Captures of a cell become one profile an event; each capture stays underneath."""

import hashlib
from pathlib import Path

from perfpress.analysis.profiles.profile import read_profile
from perfpress.analysis.study.profiles import CaptureFile, CellKey, fold_and_merge
from perfpress.base.cache import Cache

CELL = CellKey("18", "socket2", "select")


def capture(directory: Path, name: str, text: str, event: str | None = None) -> CaptureFile:
    """Write a capture of the cell."""
    path = directory / name
    path.write_text(text)
    sha256 = hashlib.sha256(text.encode()).hexdigest()
    return CaptureFile(CELL, path, f"results/{name}", sha256, event, None)


def quiet(_: str) -> None:
    """Ignore progress."""


def test_a_cell_has_a_profile_an_event_those_of_cpu_time_first(tmp_path: Path) -> None:
    captures = [
        capture(tmp_path, "1", "# perfpress-folded event=branches samples=2 lost=0\ndb;f 20\n"),
        capture(tmp_path, "2", "# perfpress-folded event=cycles samples=1 lost=0\ndb;f 7\n"),
        capture(tmp_path, "3", "db;f 5000000\ndb;g 1\n", event="cycles"),
    ]
    profiles, problems = fold_and_merge(Cache(tmp_path / "cache"), captures, 1, quiet)
    assert problems == []
    assert [(made.event, made.unit) for made in profiles] == [
        *(("cycles", "cycles"), ("branches", "events"))
    ]
    cycles = read_profile(profiles[0].profile.path, "cycles")
    assert cycles.total == 5_000_008
    assert [(each.file, each.weight) for each in cycles.captures] == [
        *(("results/2", "7"), ("results/3", "5000001"))
    ]
    singles = [read_profile(each.path, "single").total for each in profiles[0].captures]
    assert singles == [7, 5_000_001]


def test_labels_that_are_asked_for_are_frames(tmp_path: Path) -> None:
    path = Path(__file__).parents[3] / "profile/read/pprof/cpu.pb.gz"
    sha256 = hashlib.sha256(path.read_bytes()).hexdigest()
    for labels in [(), ("statement",)]:
        labelled = CaptureFile(CELL, path, "results/cpu", sha256, None, None, labels)
        (made,), problems = fold_and_merge(Cache(tmp_path / "cache"), [labelled], 1, quiet)
        assert (made.event, made.unit, problems) == ("cpu", "CPU ns", [])
        names = read_profile(made.profile.path, "profile").names
        assert ("statement=insert" in names) == (labels != ())


def test_a_profile_is_in_the_finest_unit_of_its_captures(tmp_path: Path) -> None:
    captures = [
        capture(tmp_path, "1", "db;f 2000000\n", event="cycles"),
        capture(tmp_path, "2", "db;f 1000000.5\n", event="cycles"),
    ]
    (made,), problems = fold_and_merge(Cache(tmp_path / "cache"), captures, 1, quiet)
    assert (made.event, problems) == ("cycles", [])
    merged = read_profile(made.profile.path, "merged")
    assert (merged.unit, merged.total) == ("0.1 cycles", 30_000_005)
    assert made.unit == merged.unit


def test_captures_in_another_unit_than_most_are_left_out_and_reported(tmp_path: Path) -> None:
    captures = [
        capture(tmp_path, "1", "db;f 2000000\n", event="cpu-clock"),
        capture(tmp_path, "2", "db;f 3\n", event="cpu-clock"),
        capture(tmp_path, "3", "db;g 1500000\n", event="cpu-clock"),
    ]
    (made,), problems = fold_and_merge(Cache(tmp_path / "cache"), captures, 1, quiet)
    assert (made.unit, len(made.captures)) == ("CPU ns", 2)
    assert read_profile(made.profile.path, "merged").total == 3_500_000
    assert [(each.path, each.severity) for each in problems] == [
        *(("results/2", "error"), ("results/2", "warning"))
    ]


def test_what_a_reader_leaves_out_by_its_rules_is_told_with_the_profile_and_is_no_problem(
    tmp_path: Path,
) -> None:
    waits = "idle\t5\nwait/io/file/innodb/innodb_log_file\t7\nwait/synch/mutex/a\tx\n"
    folded = "# perfpress-folded event=cycles samples=2 lost=0 skipped=3\ndb;f 20\n"
    captures = [capture(tmp_path, "1", waits), capture(tmp_path, "2", folded)]
    profiles, problems = fold_and_merge(Cache(tmp_path / "cache"), captures, 1, quiet)
    told = [
        each.reason
        for made in profiles
        for of_capture in read_profile(made.profile.path, made.event).captures
        for each in of_capture.skipped
    ]
    assert [(each.path, each.line) for each in problems] == [("results/1", 3)]
    assert len(told) == 3, "idle, the bad line, and what the host left out"
