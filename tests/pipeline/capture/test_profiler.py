"""What is asked of perf, and what is made of its answers."""

import gzip
import subprocess
import sys
from pathlib import Path

import pytest
import zstandard
from fake_programs import Program

from pipeline.capture import folding, profiler
from pipeline.capture.folding import Folder, with_header, write_capture
from pipeline.capture.profiler import Recorded, Sampling
from pipeline.problems import BadInput


def test_the_event_is_the_one_that_perf_really_recorded(perf: Path) -> None:
    assert profiler.available_event("cycles") == "cpu-clock"
    assert perf.read_text().startswith("record -e cycles ")


def test_a_real_perf_sees_a_real_process(tmp_path: Path) -> None:
    try:
        event = profiler.available_event("cycles")
    except BadInput as failure:
        pytest.skip(f"perf cannot record here: {failure}")
    sampling = Sampling(captures=1, seconds=0.3, frequency=99)
    with subprocess.Popen([sys.executable, "-c", "while True: pass"]) as busy:
        try:
            (data,) = profiler.record_captures(
                sampling, event, lambda: [busy.pid], lambda: busy.poll() is None, tmp_path
            )
        finally:
            busy.kill()
    one = profiler.recorded(data)
    assert (one.event, one.lost) == (event, 0)
    assert one.samples > 0
    text = tmp_path / "script.txt"
    profiler.write_script(data, text)
    assert text.read_text().count(f" {event}: ") == one.samples


def test_an_event_that_was_chosen_is_not_replaced_by_another(perf: Path) -> None:
    with pytest.raises(BadInput, match="instructions event is not supported"):
        profiler.available_event("instructions")
    assert "cpu-clock" not in perf.read_text()


def test_a_machine_without_perf_is_told_how_to_get_it(commands: Path) -> None:
    assert commands.is_dir()
    with pytest.raises(BadInput, match=r"perf: not installed; .*apt-get install"):
        profiler.available_event("cycles")


def test_processes_are_profiled_or_else_the_whole_host() -> None:
    sampling = Sampling(frequency=333, call_graph="fp", seconds=2.5)
    words = profiler.record_arguments(sampling, "cycles", [12, 7], Path("x.data"))
    assert " ".join(words) == (
        "record --no-buildid --no-buildid-cache "
        "-e cycles -F 333 --call-graph fp -p 12,7 -o x.data -- sleep 2.5"
    )
    assert "-a" in profiler.record_arguments(sampling, "cycles", [], Path("x.data"))
    large = profiler.record_arguments(Sampling(buffer="16M"), "cycles", [], Path("x.data"))
    assert large[large.index("--mmap-pages") + 1] == "16M"


def test_a_capture_that_the_end_of_the_benchmark_cut_short_is_left_out(
    perf: Path, tmp_path: Path
) -> None:
    def is_running() -> bool:
        return not perf.exists() or perf.read_text().count("record") < 2

    many = Sampling(captures=5, seconds=0.05, every=0.05)
    captures = profiler.record_captures(many, "cycles", lambda: [1], is_running, tmp_path)
    assert captures == [tmp_path / "perf.1.data"]
    assert sorted(tmp_path.glob("perf.*.data")) == captures


def test_a_process_that_never_appears_is_a_problem(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(profiler, "FIND_SECONDS", 0.1)
    with pytest.raises(BadInput, match="no such process within"):
        profiler.record_captures(Sampling(), "cycles", lambda: [], lambda: True, tmp_path)


def test_a_process_that_ends_at_once_makes_room_for_the_one_that_works(
    program: Program, tmp_path: Path
) -> None:
    # perf fails for process 1, which is gone when one looks again.
    perf = program(
        "perf",
        "import sys\nif '-p 1 ' in ' '.join(sys.argv): sys.exit('No such process')\n"
        "open(sys.argv[sys.argv.index('-o') + 1], 'w').close()",
    )
    assert perf.exists()
    found = iter([[1], [2], [2]])
    captures = profiler.record_captures(
        Sampling(captures=1), "cycles", lambda: next(found), lambda: True, tmp_path
    )
    assert captures == [tmp_path / "perf.1.data"]


def test_perf_that_fails_on_the_same_processes_is_a_problem(
    program: Program, tmp_path: Path
) -> None:
    assert program("perf", "import sys\nsys.exit('Permission denied')").exists()
    with pytest.raises(BadInput, match="perf record: Permission denied"):
        profiler.record_captures(Sampling(), "cycles", lambda: [1], lambda: True, tmp_path)


def test_lost_samples_are_counted_as_samples_and_not_as_records(perf: Path) -> None:
    assert perf.parent.is_dir()
    one = profiler.recorded(Path("x.data"))
    assert (one.event, one.samples, one.lost) == ("cpu-clock", 812, 7)


def test_nothing_lost_is_none_lost() -> None:
    assert profiler.event_count("LOST_SAMPLES", "cycles stats:\n    SAMPLE events:  5\n") == 0


def test_a_capture_stays_text_where_nothing_folds(perf: Path, tmp_path: Path) -> None:
    assert perf.parent.is_dir()
    capture = write_capture(Recorded(tmp_path / "x.data", "cycles", 1, 0), "perf.1", None, tmp_path)
    assert capture.name == "perf.1.perf-script.zst"
    assert b"_start+0x29 (/srv/18/bin/postgres)" in zstandard.decompress(capture.read_bytes())


def test_a_folded_capture_says_what_it_holds(
    perf: Path, program: Program, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert perf.parent.is_dir()
    node = program("node", "print('postgres;_start 5025125')")
    monkeypatch.setattr(folding, "FLAMEGRAPH", tmp_path / "cli.js")
    recorded = Recorded(tmp_path / "x.data", "cpu-clock", 812, 7)
    capture = write_capture(recorded, "perf.1", Folder(node), tmp_path)
    assert capture.name == "perf.1.folded.gz"
    assert gzip.decompress(capture.read_bytes()).decode().splitlines() == [
        "# perfpress-folded event=cpu-clock samples=812 lost=7",
        "postgres;_start 5025125",
    ]
    assert (
        capture.read_bytes()
        == write_capture(recorded, "perf.2", Folder(node), tmp_path).read_bytes()
    )


def test_there_is_one_header_only() -> None:
    recorded = Recorded(Path("x"), "cycles", 2, 1)
    folded = b"# perfpress-folded event=cycles samples=2 lost=0\na;b 1\n"
    assert with_header(folded, recorded) == (
        b"# perfpress-folded event=cycles samples=2 lost=1\na;b 1\n"
    )


def test_what_the_folder_says_of_lines_that_it_skipped_stays() -> None:
    recorded = Recorded(Path("x"), "cpu-clock", 812, 7)
    folded = b"# perfpress-folded event=cycles samples=2 lost=0 skipped=3 partial=true\na;b 1\n"
    assert with_header(folded, recorded) == (
        b"# perfpress-folded event=cpu-clock samples=812 lost=7 skipped=3 partial=true\na;b 1\n"
    )


def test_text_that_cannot_be_folded_is_a_problem(program: Program, tmp_path: Path) -> None:
    node = program("node", "import sys; sys.exit('x.txt:3: no stack')")
    with pytest.raises(BadInput, match="no stack"):
        Folder(node).fold(tmp_path / "x.txt")


def test_what_was_skipped_in_folding_is_told(
    program: Program, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    node = program("node", "import sys; print('a 1'); print('x.txt:61: no frame', file=sys.stderr)")
    assert Folder(node).fold(tmp_path / "x.txt") == b"a 1\n"
    assert capsys.readouterr().err == "x.txt:61: no frame\n"
