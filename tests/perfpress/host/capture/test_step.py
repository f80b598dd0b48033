"""What is kept of a benchmark, however it ends."""

import json
import re
from dataclasses import replace
from pathlib import Path
from resource import RUSAGE_SELF, getrusage

import pytest
from fake_programs import Program
from perfpress.base.problems import BadInput
from perfpress.host.capture.captures import Profiling
from perfpress.host.capture.profiler import Sampling
from perfpress.host.capture.step import Repeats, StepRequest, measure
from perfpress.input.logs.read import read_log
from time_limit import within

VMSTAT = "import time\nprint('procs', flush=True)\ntime.sleep(60)"
TIMES = "l.i1/command-times.json"
SAMPLING = Sampling(("cpu-clock",), captures=2, seconds=0.05, every=0.1, frequency=99)


def profiling(sampling: Sampling = SAMPLING, pids: tuple[int, ...] = (1,)) -> Profiling:
    return Profiling(sampling, None, lambda _: pids, separate_run=True)


def request(program: Path, *words: str, **more: object) -> StepRequest:
    return StepRequest("l.i1", "insert", (str(program), *words), **more)  # type: ignore[arg-type]


def test_output_and_errors_are_the_log_and_the_host_is_counted(
    program: Program, tmp_path: Path
) -> None:
    program("vmstat", VMSTAT)
    counts = tmp_path / "l.i1/vmstat.txt"
    bench = program(
        "bench",
        "import pathlib, sys, time\n"
        "print('tps = 5', flush=True)\nprint('progress', file=sys.stderr)\n"
        f"counts = pathlib.Path({str(counts)!r})\n"
        "while not (counts.exists() and counts.read_text()): time.sleep(0.01)",
    )
    with within(60):
        measured = measure(request(bench), tmp_path)
    assert measured.complete
    assert [each.severity for each in measured.problems] == ["warning"]
    assert measured.step.logs == ("l.i1/output.txt", "l.i1/vmstat.txt", TIMES)
    assert (tmp_path / "l.i1/output.txt").read_text() == "tps = 5\nprogress\n"
    assert measured.step.seconds is None


def test_a_host_without_vmstat_is_measured_all_the_same(program: Program, tmp_path: Path) -> None:
    measured = measure(request(program("bench", "print(1)")), tmp_path)
    assert measured.step.logs == ("l.i1/output.txt", TIMES)
    assert not (tmp_path / "l.i1/vmstat.txt").exists()


def test_operations_that_no_log_has_come_with_the_time_they_took(
    program: Program, tmp_path: Path
) -> None:
    bench = program("bench", "import time\ntime.sleep(0.3)")
    step = measure(request(bench, operations=600, work="fixed"), tmp_path).step
    assert step.operations == 600
    assert step.work == "fixed"
    assert step.seconds is not None
    assert 0.3 <= step.seconds < 5


def test_secrets_stay_on_the_host(program: Program, tmp_path: Path) -> None:
    bench = program("bench", "import sys\nprint(' '.join(sys.argv))")
    step = measure(request(bench, "--mysql-password=hunter2"), tmp_path).step
    assert step.command is not None
    assert "hunter2" not in step.command
    assert "[redacted password]" in step.command
    assert "hunter2" not in (tmp_path / "l.i1/output.txt").read_text()


def test_a_command_of_any_bytes_is_written_down(program: Program, tmp_path: Path) -> None:
    step = measure(request(program("bench", "print(1)"), "\udcff"), tmp_path).step
    assert step.command is not None
    assert step.command.endswith("\\udcff'")


def test_output_that_is_no_text_is_kept_byte_for_byte(program: Program, tmp_path: Path) -> None:
    bench = program("bench", r"import sys; sys.stdout.buffer.write(b'\xff\x00tps\r\n')")
    measure(request(bench), tmp_path)
    assert (tmp_path / "l.i1/output.txt").read_bytes() == b"\xff\x00tps\r\n"


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (
            "import sys\nprint('FATAL: no\\ttable\\n\\n')\nsys.exit(3)",
            "bench ended with status 3 after 0 s: FATAL: no table",
        ),
        ("import sys\nsys.exit(1)", "bench ended with status 1 after 0 s: no output"),
        (
            "import os\nos.kill(os.getpid(), 9)",
            "bench ended with signal 9 (Killed) after 0 s: no output",
        ),
        (
            "import sys\nsys.exit('cannot connect: password=hunter2')",
            "bench ended with status 1 after 0 s: cannot connect: password=[redacted password]",
        ),
    ],
)
def test_a_benchmark_that_fails_is_reported_with_its_last_words(
    program: Program, tmp_path: Path, text: str, reason: str
) -> None:
    measured = measure(request(program("bench", text)), tmp_path)
    assert not measured.complete
    assert [problem.path for problem in measured.problems] == ["l.i1"]
    ended = measured.step.ended
    assert ended is not None
    # A busy machine takes more than half a second to start a program.
    assert ended.how == "failed"
    assert re.sub(r"after \d+ s", "after 0 s", ended.reason) == reason
    assert measured.problems[0].found == ended.reason


def test_a_command_that_cannot_be_started_is_reported(commands: Path, tmp_path: Path) -> None:
    measured = measure(request(commands / "nothing"), tmp_path)
    assert not measured.complete
    (problem,) = measured.problems
    assert problem.found == "nothing cannot be started: No such file or directory"


def test_captures_are_taken_while_the_benchmark_runs(
    program: Program, perf: Path, tmp_path: Path
) -> None:
    bench = program("bench", "import time\ntime.sleep(2)")
    step = measure(request(bench, profiling=profiling()), tmp_path).step
    assert step.captures == ("l.i1/perf.1.perf-script.zst", "l.i1/perf.2.perf-script.zst")
    assert step.capture.event == "cpu-clock"
    assert step.capture.frequency == 99
    assert step.capture.seconds == 0.05
    assert step.capture.scope == "process"
    assert step.capture.separate_run
    assert step.capture.lost == 14
    assert perf.read_text().count("record") == 2


def test_captures_that_did_not_fit_are_counted(
    program: Program, perf: Path, tmp_path: Path
) -> None:
    assert perf.parent.is_dir()
    bench = program("bench", "import time\ntime.sleep(4)")
    many = Sampling(seconds=0.05, every=2.5)
    measured = measure(request(bench, profiling=profiling(many)), tmp_path)
    assert measured.complete
    assert len(measured.step.captures) in (1, 2)
    (problem,) = measured.problems
    assert problem.severity == "warning"
    assert "before the benchmark ended" in problem.found


def test_a_profiler_that_fails_costs_the_captures_and_not_the_figures(
    program: Program, perf: Path, tmp_path: Path
) -> None:
    assert perf.parent.is_dir()
    bench = program("bench", "print('tps = 5')")
    measured = measure(request(bench, profiling=profiling(pids=())), tmp_path)
    assert measured.complete
    assert measured.step.captures == ()
    assert measured.problems[0].found == "0 captures before the benchmark ended"
    assert measured.problems[0].severity == "error"
    assert (tmp_path / "l.i1/output.txt").read_text() == "tps = 5\n"


def test_measuring_again_leaves_nothing_of_the_time_before(
    program: Program, tmp_path: Path
) -> None:
    (tmp_path / "l.i1").mkdir()
    for name in ("perf.9.folded.gz", "perf.2.data", "perf.1.page-faults.folded.gz", "iostat.txt"):
        (tmp_path / "l.i1" / name).write_text("old")
    measure(request(program("bench", "print(1)")), tmp_path)
    assert {path.name for path in (tmp_path / "l.i1").iterdir()} == {"output.txt", Path(TIMES).name}


@pytest.mark.parametrize("name", ["main.c", "deep/output.txt", "perf.1.folded.gz.bak"])
def test_a_directory_that_is_no_steps_is_left_alone(
    program: Program, tmp_path: Path, name: str
) -> None:
    stranger = tmp_path / "l.i1" / name
    stranger.parent.mkdir(parents=True)
    stranger.write_text("precious")
    (tmp_path / "l.i1/output.txt").write_text("old")
    with pytest.raises(BadInput, match="holds what is not of an earlier try of this step"):
        measure(request(program("bench", "print(1)")), tmp_path)
    assert stranger.read_text() == "precious"
    assert (tmp_path / "l.i1/output.txt").read_text() == "old"


def test_a_link_or_a_file_in_the_place_of_a_step_is_left_alone(
    program: Program, tmp_path: Path
) -> None:
    bench = request(program("bench", "print(1)"))
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "l.i1").symlink_to("elsewhere")
    with pytest.raises(BadInput):
        measure(bench, tmp_path)
    assert (tmp_path / "l.i1").is_symlink()
    (tmp_path / "l.i1").unlink()
    (tmp_path / "l.i1").write_text("precious")
    with pytest.raises(BadInput):
        measure(bench, tmp_path)
    assert (tmp_path / "l.i1").read_text() == "precious"


def test_a_secret_goes_whole_whatever_it_holds(program: Program, tmp_path: Path) -> None:
    words = ("--password", "it's my \"secret", "--pg-password=two words", "PGPASSWORD=o'ne", "-v")
    step = measure(request(program("bench", "print(1)"), *words), tmp_path).step
    assert step.command is not None
    assert step.command.partition(" ")[2] == (
        "--password '[redacted password]' '--pg-password=[redacted password]' "
        "'PGPASSWORD=[redacted password]' -v"
    )


def test_a_log_that_the_benchmark_writes_elsewhere_is_kept_without_its_secrets(
    program: Program, tmp_path: Path
) -> None:
    log = tmp_path / "bench.log"
    bench = program("bench", f"open({str(log)!r}, 'w').write('password=hunter2 tps = 5')")
    missing = tmp_path / "other.log"
    measured = measure(request(bench, more_logs=(log, missing)), tmp_path / "out")
    assert measured.step.logs == ("l.i1/bench.log", TIMES)
    assert (tmp_path / "out/l.i1/bench.log").read_text() == "password=[redacted password] tps = 5"
    assert [problem.path for problem in measured.problems] == [str(missing)]


def test_what_only_waits_has_no_command_and_no_output(program: Program, tmp_path: Path) -> None:
    wait = program("wait", "")
    step = measure(request(wait, is_benchmark=False, operations=5), tmp_path).step
    assert (step.command, step.logs, step.operations) == (None, (), 5)


def test_the_host_is_counted_by_all_that_is_installed(program: Program, tmp_path: Path) -> None:
    program("vmstat", VMSTAT)
    program("iostat", VMSTAT)
    program("perf", "print('counted', flush=True)")
    bench = program("bench", "import time\nprint('tps = 5')\ntime.sleep(0.5)")
    step = measure(request(bench, perf_stat=True), tmp_path).step
    assert step.logs == tuple(
        f"l.i1/{name}"
        for name in ("output.txt", "vmstat.txt", "iostat.txt", "perf-stat.txt", Path(TIMES).name)
    )


def test_captures_without_samples_are_left_out_and_reported(
    program: Program, perf: Path, tmp_path: Path
) -> None:
    text = perf.with_name("perf").read_text().replace("SAMPLE events:        812", "x")
    perf.with_name("perf").write_text(text)
    bench = program("bench", "import time\ntime.sleep(1.5)")
    one = Sampling(captures=1, seconds=0.05, every=0.1)
    measured = measure(request(bench, profiling=profiling(one)), tmp_path)
    assert measured.step.captures == ()
    assert measured.step.capture.seconds is None
    assert [str(problem) for problem in measured.problems] == [
        "l.i1: 1 of 1 capture without a sample, left out; expected processes at work; "
        "see whether the right ones are profiled: --pid, --name, --backend"
    ]


def test_a_command_that_prints_no_rate_is_timed_and_repeated(
    program: Program, tmp_path: Path
) -> None:
    # More than this process, which would hide it.
    size = 1024 * getrusage(RUSAGE_SELF).ru_maxrss + 50_000_000
    held = f"b = bytearray({size})\nb[::4096] = b[::4096]\n"
    busy = "import time\nwhile time.process_time() < 0.2: pass\n"
    bench = program("bench", held + busy)
    asked = replace(request(bench, repeats=Repeats(3)), operation=None)
    measured = measure(asked, tmp_path)
    assert measured.problems == ()
    step = measured.step
    assert (step.operation, step.work, step.logs) == ("run", "fixed", (TIMES,))
    [benchmark] = read_log(tmp_path / TIMES, TIMES).benchmarks
    metrics = {each.name: each for each in benchmark.metrics}
    assert metrics["repeats"].value == 3
    assert metrics["failed_operations"].value == 0
    assert 0.2e9 < metrics["time_per_operation"].value < 20e9
    assert metrics["time_per_operation"].note == "median of 3 repeats"
    assert 0.2e9 < metrics["process_cpu_per_operation"].value < 2e9
    assert size < 1024 * metrics["command_memory"].value < size + 100_000_000


def test_what_a_timed_command_prints_is_kept_as_text(program: Program, tmp_path: Path) -> None:
    measured = measure(request(program("bench", "print('done')")), tmp_path)
    assert measured.step.logs == ("l.i1/output.txt", TIMES)
    assert measured.step.formats == {"l.i1/output.txt": "text"}
    reading = read_log(tmp_path / "l.i1/output.txt", "output.txt", "text")
    assert (reading.metrics, reading.problems) == ((), ())


def test_a_command_is_repeated_until_the_time_has_passed(program: Program, tmp_path: Path) -> None:
    bench = program("bench", "import time\ntime.sleep(0.3)")
    measure(request(bench, repeats=Repeats(1, seconds=0.7)), tmp_path)
    [result] = json.loads((tmp_path / TIMES).read_text())["results"]
    assert set(result["memory_usage_byte"]) == {0}, "less than this process holds"
    assert sum(result["times"][:-1]) < 0.7 <= sum(result["times"])


def test_what_prints_its_rate_is_run_once_and_not_timed(program: Program, tmp_path: Path) -> None:
    known = Path(__file__).parents[2] / "input/logs/samples/hyperfine-1.15.json"
    bench = program("bench", f"print(open({str(known)!r}).read())")
    measured = measure(request(bench, repeats=Repeats(5)), tmp_path)
    assert measured.step.logs == ("l.i1/output.txt",)
    assert (measured.step.operation, measured.step.work) == ("insert", "timed")
    assert (tmp_path / "l.i1/output.txt").read_text() == known.read_text() + "\n"
    assert [each.found for each in measured.problems] == [
        "the benchmark prints how fast it was, so it was run once"
    ]


def test_a_harness_whose_table_is_not_read_is_not_timed(program: Program, tmp_path: Path) -> None:
    bench = program("bench", "print('# JMH version: 1.37')")
    measured = measure(request(bench), tmp_path)
    assert measured.step.logs == ("l.i1/output.txt",)
    assert [str(each) for each in measured.problems] == [
        "l.i1: what JMH prints: none of its numbers is read; expected a log of a known format; "
        "write JSON: -rf json -rff FILE, and name that file as a log"
    ]


def test_repeats_end_with_the_first_that_fails(program: Program, tmp_path: Path) -> None:
    seen = tmp_path / "seen"
    bench = program(
        "bench",
        f"import pathlib, sys\nseen = pathlib.Path({str(seen)!r})\n"
        "if seen.exists(): sys.exit('no room')\nseen.touch()",
    )
    measured = measure(request(bench, repeats=Repeats(5)), tmp_path)
    assert measured.step.ended is not None
    assert measured.step.ended.reason.endswith("no room")
    assert measured.step.logs == ("l.i1/output.txt",)
