"""Captures become folded stacks, or stay text."""

import gzip
from pathlib import Path

import pytest
import zstandard
from fake_programs import Program
from perfpress.base.problems import BadInput
from perfpress.host.capture import folding
from perfpress.host.capture.folding import Folder, with_header, write_capture
from perfpress.host.capture.perf import PerfCapture, SampleCounts


def test_a_capture_stays_text_where_nothing_folds(perf: Path, tmp_path: Path) -> None:
    assert perf.parent.is_dir()
    (capture,) = write_capture(
        PerfCapture(tmp_path / "x.data", {"cycles": SampleCounts(1)}), "perf.1", None, tmp_path
    )
    assert capture.name == "perf.1.perf-script.zst"
    assert b"_start+0x29 (/srv/18/bin/postgres)" in zstandard.decompress(capture.read_bytes())


def test_a_folded_capture_says_what_it_holds(
    perf: Path, program: Program, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert perf.parent.is_dir()
    node = program("node", "print('postgres;_start 5025125')")
    monkeypatch.setattr(folding, "PROFILE", tmp_path / "cli.js")
    recorded = PerfCapture(tmp_path / "x.data", {"cpu-clock": SampleCounts(812, 7)})
    (capture,) = write_capture(recorded, "perf.1", Folder(node), tmp_path)
    assert capture.name == "perf.1.folded.gz"
    assert gzip.decompress(capture.read_bytes()).decode().splitlines() == [
        "# perfpress-folded event=cpu-clock samples=812 lost=7",
        "postgres;_start 5025125",
    ]
    (again,) = write_capture(recorded, "perf.2", Folder(node), tmp_path)
    assert capture.read_bytes() == again.read_bytes()


def test_there_is_one_header_only() -> None:
    folded = b"# perfpress-folded event=cycles samples=2 lost=0\na;b 1\n"
    assert with_header(folded, "cycles", SampleCounts(2, 1)) == (
        b"# perfpress-folded event=cycles samples=2 lost=1\na;b 1\n"
    )


def test_what_the_folder_says_of_lines_that_it_skipped_stays() -> None:
    folded = b"# perfpress-folded event=cycles samples=2 lost=0 skipped=3 partial=true\na;b 1\n"
    assert with_header(folded, "cpu-clock", SampleCounts(812, 7)) == (
        b"# perfpress-folded event=cpu-clock samples=812 lost=7 skipped=3 partial=true\na;b 1\n"
    )


def test_text_that_cannot_be_folded_is_a_problem(program: Program, tmp_path: Path) -> None:
    node = program("node", "import sys; sys.exit('x.txt:3: no stack')")
    with pytest.raises(BadInput, match="no stack"):
        Folder(node).fold(tmp_path / "x.txt")


def test_what_was_skipped_in_folding_is_reported(
    program: Program, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    node = program("node", "import sys; print('a 1'); print('x.txt:61: no frame', file=sys.stderr)")
    assert Folder(node).fold(tmp_path / "x.txt") == b"a 1\n"
    assert capsys.readouterr().err == "x.txt:61: no frame\n"


def test_each_event_is_a_file_and_what_perf_wrote_is_kept_beside_the_bundle(
    perf: Path, program: Program, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert perf.parent.is_dir()
    node = program("node", "import sys; print('main', 1 if sys.argv[-1] == 'cycles' else 2)")
    monkeypatch.setattr(folding, "PROFILE", tmp_path / "cli.js")
    counts = {
        "cycles": SampleCounts(3),
        "sched:sched_switch": SampleCounts(2),
        "faults": SampleCounts(0),
    }
    (tmp_path / "raw").mkdir()
    recorded = PerfCapture(tmp_path / "x.data", counts)
    files = write_capture(recorded, "perf.1", Folder(node), tmp_path, tmp_path / "raw")
    assert [path.name for path in files] == [
        "perf.1.cycles.folded.gz",
        "perf.1.sched-sched_switch.folded.gz",
    ]
    assert gzip.decompress(files[1].read_bytes()) == (
        b"# perfpress-folded event=sched:sched_switch samples=2 lost=0\nmain 2\n"
    )
    assert [path.name for path in (tmp_path / "raw").iterdir()] == ["perf.1.perf-script.zst"]


def test_a_capture_without_a_sample_is_none(tmp_path: Path) -> None:
    idle = PerfCapture(tmp_path / "x.data", {"cycles": SampleCounts()})
    assert write_capture(idle, "perf.1", None, tmp_path) == []
