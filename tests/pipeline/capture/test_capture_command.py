"""`perfpress capture`, from its arguments to the bundle."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from fake_programs import Program

from pipeline.__main__ import main
from pipeline.bundle.read import Bundle, read_bundle


def words(out: Path, *more: str, step: str = "l.i1") -> list[str]:
    what = ["--report", "r", "--release", "18", "--host", "h", "--config", "c"]
    return ["capture", *what, "--step", step, "--operation", "insert", "--out", str(out), *more]


def bundle_in(directory: Path) -> Bundle:
    bundle, problems = read_bundle(directory, "out")
    assert bundle is not None, problems
    return bundle


def test_a_benchmark_becomes_a_bundle(
    program: Program, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    bench = program("bench", "print('tps = 5')")
    program("pgbench", "print('pgbench (PostgreSQL) 15.18')")
    settings = tmp_path / "my.cnf"
    settings.write_text("port = 1\n")
    out = tmp_path / "out"
    extra = ("--clients", "4", "--axis", "size=480m", "--attach", str(settings))
    tools = ("--tool", "pgbench", "--tool", "compiler=gcc 13 -O2", "--tool", "missing")
    assert main(words(out, *extra, *tools, "--", str(bench), "--time", "5")) == 0
    run = bundle_in(out).run
    assert (run.benchmark, run.clients, run.axes) == ("bench", 4, {"size": "480m"})
    assert run.tools == {"pgbench": "(PostgreSQL) 15.18", "compiler": "gcc 13 -O2"}
    assert run.attachments == ("my.cnf",)
    assert run.started is not None
    assert run.machine["cpus"] == os.cpu_count()
    assert run.steps[0].command == f"{bench} --time 5"
    assert capsys.readouterr().out == f"{out / 'run.toml'}\n"


def test_calls_with_the_same_directory_make_one_bundle(program: Program, tmp_path: Path) -> None:
    first, second = program("bench", "print(1)"), program("other", "print(2)")
    out = tmp_path / "out"
    assert main(words(out, "--", str(first), step="load")) == 0
    assert main(words(out, "--", str(second), step="read")) == 0
    bundle = bundle_in(out)
    assert [step.name for step in bundle.steps] == ["load", "read"]
    assert bundle.run.benchmark == "bench"


def test_a_step_that_the_bundle_has_is_refused_before_anything_runs(
    program: Program, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out, ran = tmp_path / "out", tmp_path / "ran"
    assert main(words(out, "--", str(program("bench", "print(1)")))) == 0
    again = program("again", f"open({str(ran)!r}, 'w')")
    assert main(words(out, "--", str(again))) == 1
    assert "has a step 'l.i1' already" in capsys.readouterr().err
    assert not ran.exists()


def test_a_failed_benchmark_leaves_what_it_wrote_but_no_bundle(
    program: Program, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out"
    bench = program("bench", "import sys\nsys.exit('cannot connect')")
    assert main(words(out, "--", str(bench))) == 1
    captured = capsys.readouterr()
    assert captured.out == ""
    assert "status 1: cannot connect" in captured.err
    assert "rename the file to run.toml" in captured.err
    assert (out / "l.i1/output.txt").read_text() == "cannot connect\n"
    assert not (out / "run.toml").exists()
    assert main(words(out, "--", str(program("bench", "print(1)")))) == 0
    assert not (out / "run.toml.partial").exists()


def test_ctrl_c_ends_the_benchmark_and_keeps_what_there_is(
    program: Program, tmp_path: Path
) -> None:
    out = tmp_path / "out"
    bench = program("bench", "import time\nprint('tps = 5', flush=True)\ntime.sleep(60)")
    command = [sys.executable, "-m", "pipeline", *words(out, "--", str(bench))]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as capture:
        log = out / "l.i1/output.txt"
        deadline = time.monotonic() + 20
        while not (log.exists() and log.read_text()) and time.monotonic() < deadline:
            time.sleep(0.02)
        capture.send_signal(signal.SIGINT)
        _, errors = capture.communicate(timeout=20)
    assert capture.returncode == 1
    assert "interrupted after" in errors
    assert "Traceback" not in errors
    assert log.read_text() == "tps = 5\n"
    assert [path.name for path in out.glob("run.toml*")] == ["run.toml.partial"]


def test_profiling_is_written_down(program: Program, perf: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    bench = program("bench", "import time\ntime.sleep(1)")
    times = ("--for", "0.05s", "--every", "0.1s", "--captures", "2", "--frequency", "99")
    options = ("--profile", "--pid", "1", *times, "--separate-run", "--raw", "2")
    assert main(words(out, *options, "--", str(bench))) == 0
    bundle = bundle_in(out)
    (step,) = bundle.steps
    assert step.captures == ("l.i1/perf.1.perf-script.zst", "l.i1/perf.2.perf-script.zst")
    assert (step.capture.event, step.capture.scope) == ("cpu-clock", "process")
    assert step.capture.separate_run
    assert bundle.run.tools["perf"] == "version 6.1.187"
    assert "-p 1 " in perf.read_text()


def test_without_perf_nothing_is_measured(
    program: Program, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out"
    assert main(words(out, "--profile", "--", str(program("bench", "print(1)")))) == 1
    assert "perf: not installed" in capsys.readouterr().err
    assert not out.exists()


def test_a_program_that_is_not_there_is_told_before_anything_is_written(
    program: Program, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out"
    no_program = program("no-program", "")
    no_program.chmod(0o644)
    for command, told in {
        "pgbench": "pgbench: no such program; expected the benchmark to run; install it",
        "./run.sh": "./run.sh: no such program; ",
        str(no_program): f"{no_program}: may not be executed; expected the benchmark to run; chmod",
    }.items():
        assert main(words(out, "--", command, "--time=5")) == 1
        assert capsys.readouterr().err.startswith(told)
    assert not out.exists()


@pytest.mark.parametrize("option", ["--pid=1", "--backend=x", "--separate-run", "--captures=2"])
def test_what_is_said_of_a_profile_that_is_not_taken_is_told(
    program: Program, tmp_path: Path, option: str, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out"
    assert main(words(out, option, "--", str(program("bench", "print(1)")))) == 1
    assert "options of a profile without --profile; add it" in capsys.readouterr().err
    assert not out.exists()


WHOLE = "a whole number above zero"


@pytest.mark.parametrize(
    ("option", "value", "told"),
    [
        ("--for", "0", "'0'; expected seconds or minutes above zero"),
        ("--every", "5h", "'5h'; expected seconds or minutes above zero: 3, 0.5s, 2m"),
        ("--axis", "size", "'size'; expected NAME=VALUE"),
        ("--axis", "", "nothing; expected NAME=VALUE"),
        ("--clients", "0", f"'0'; expected {WHOLE}"),
        ("--clients", "", f"nothing; expected {WHOLE}"),
        ("--clients", "eight", f"'eight'; expected {WHOLE}"),
        ("--captures", "1.5", f"'1.5'; expected {WHOLE}"),
        ("--raw", "-1", "'-1'; expected a whole number"),
        ("--config", "", "nothing; expected 1 to 200 printable characters"),
        ("--operation", "a\nb", r"'a\nb'; expected 1 to 200 printable characters"),
        ("--step", "vs", "'vs'; expected a name that no other page has"),
        ("--tool", "=1", "'=1'; expected NAME or NAME=TEXT"),
    ],
)
def test_arguments_that_mean_nothing_are_bad_usage(
    tmp_path: Path, option: str, value: str, told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(words(tmp_path / "out", f"{option}={value}", "--", "true")) == 2
    (line,) = capsys.readouterr().err.splitlines()[-1:]
    assert line.startswith(f"perfpress capture: error: argument {option}: {told}")
