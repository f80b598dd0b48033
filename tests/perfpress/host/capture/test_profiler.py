"""When captures are taken beside a benchmark, and of what."""

import subprocess
import sys
import threading
from itertools import pairwise
from pathlib import Path

import pytest
from fake_programs import Program
from perfpress.base.problems import BadInput
from perfpress.host.capture import perf as asked_perf
from perfpress.host.capture import profiler
from perfpress.host.capture.profiler import Sampling

ONE = Sampling(captures=1, seconds=0.05, every=0.1)


def never() -> threading.Event:
    return threading.Event()


def after(seconds: float) -> threading.Event:
    over = threading.Event()
    threading.Timer(seconds, over.set).start()
    return over


def test_a_real_perf_sees_a_real_process(tmp_path: Path) -> None:
    try:
        (event,) = asked_perf.available_events(("cycles",), ())
    except BadInput as failure:
        pytest.skip(f"perf cannot record here: {failure}")
    # So few that the buffer holds them all, should a busy machine not let perf read it in time.
    sampling = Sampling(events=(event,), captures=1, seconds=1.0, every=1.5, frequency=49)
    with subprocess.Popen([sys.executable, "-c", "while True: pass"]) as busy:
        try:
            recording = profiler.record_captures(sampling, lambda: [busy.pid], never(), tmp_path)
        finally:
            busy.kill()
    assert recording.problems == []
    (data,) = recording.captures
    one = asked_perf.recorded(data)
    assert list(one.events) == [event]
    assert one.lost == 0
    assert one.samples > 0
    text = tmp_path / "script.txt"
    asked_perf.write_script(data, text)
    assert text.read_text().count(f" {event}: ") == one.samples


def test_processes_are_profiled_or_else_the_whole_host() -> None:
    sampling = Sampling(events=("cycles", "faults"), frequency=333, call_graph="fp", seconds=2.5)
    words = profiler.record_arguments(sampling, [12, 7], Path("x.data"))
    assert " ".join(words) == (
        "record --no-buildid --no-buildid-cache "
        "-e cycles,faults -F 333 --call-graph fp -p 12,7 -o x.data -- sleep 2.5"
    )
    assert "-a" in profiler.record_arguments(sampling, [], Path("x.data"))
    large = profiler.record_arguments(Sampling(buffer="16M"), [], Path("x.data"))
    assert large[large.index("--mmap-pages") + 1] == "16M"


def test_a_capture_that_the_end_of_the_benchmark_cut_short_is_left_out(
    perf: Path, tmp_path: Path
) -> None:
    assert perf.parent.is_dir()
    over = never()

    def end_in_the_second(text: str) -> None:
        if text == "capture 2":
            threading.Timer(0.3, over.set).start()

    long = Sampling(captures=5, seconds=0.6, every=0.7)
    recording = profiler.record_captures(long, lambda: [1], over, tmp_path, end_in_the_second)
    assert recording.captures == [tmp_path / "perf.1.data"]
    assert recording.problems == []
    assert sorted(tmp_path.glob("perf.*.data")) == recording.captures


def test_captures_go_on_until_the_benchmark_is_over(perf: Path, tmp_path: Path) -> None:
    assert perf.parent.is_dir()
    often = Sampling(seconds=0.01, every=0.02)
    recording = profiler.record_captures(often, lambda: [1], after(4.0), tmp_path)
    assert len(recording.captures) > 2


def test_a_long_run_has_few_captures_at_equal_distances(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def record(_: object, __: object, ___: object, data: Path) -> bool:
        data.write_text("recorded")
        return True

    moments: list[float] = []

    class Clock(threading.Event):
        now = 0.0

        def wait(self, timeout: float | None = None) -> bool:
            Clock.now += timeout or 0.0
            moments.append(Clock.now)
            return Clock.now > 3000

    monkeypatch.setattr(profiler, "_record_one", record)
    monkeypatch.setattr("perfpress.host.capture.profiler.time.monotonic", lambda: Clock.now)
    recording = profiler.record_captures(Sampling(), None, Clock(), tmp_path)
    kept = [moments[int(path.name.split(".")[1]) - 1] for path in recording.captures]
    distances = {round(later - before, 6) for before, later in pairwise(kept)}
    assert 6 <= len(kept) < 12
    assert distances == {320.0}
    assert kept[0] == 1.0
    assert sorted(tmp_path.iterdir()) == sorted(recording.captures)


def test_a_process_that_never_appears_is_a_problem(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(profiler, "FIND_SECONDS", 0.1)
    recording = profiler.record_captures(ONE, lambda: [], never(), tmp_path)
    assert recording.captures == []
    assert "no such process within" in recording.problems[0].found


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
    recording = profiler.record_captures(ONE, lambda: next(found), never(), tmp_path)
    assert recording.captures == [tmp_path / "perf.1.data"]
    assert recording.problems == []


def test_perf_that_fails_later_leaves_the_captures_before(program: Program, tmp_path: Path) -> None:
    perf = program(
        "perf",
        "import sys\nout = sys.argv[sys.argv.index('-o') + 1]\n"
        "if 'perf.2' in out: sys.exit('Permission denied')\nopen(out, 'w').close()",
    )
    assert perf.exists()
    sampling = Sampling(captures=3, seconds=0.01, every=0.02)
    recording = profiler.record_captures(sampling, lambda: [1], never(), tmp_path)
    assert recording.captures == [tmp_path / "perf.1.data"]
    assert [str(problem) for problem in recording.problems] == [
        "perf record: Permission denied; expected a capture; "
        "run the same command by hand to see more"
    ]


def test_the_benchmark_keeps_its_room_on_the_disk(
    perf: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert perf.parent.is_dir()
    monkeypatch.setattr(profiler, "SPARE_BYTES", 10**18)
    recording = profiler.record_captures(ONE, None, never(), tmp_path)
    assert recording.captures == []
    assert "MB free; expected 1000000000000 MB" in str(recording.problems[0])
