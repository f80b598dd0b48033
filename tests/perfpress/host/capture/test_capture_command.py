"""`perfpress capture`, from its arguments to the bundle."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from fake_programs import Program
from perfpress.__main__ import main
from perfpress.analysis.study.measured import read_logs
from perfpress.input.bundles.read import Bundle, read_bundle
from perfpress.input.logs.read import read_log


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


SAMPLES = Path(__file__).parents[2] / "input/logs/samples"


def test_several_benchmarks_of_one_command_are_a_step_each(
    program: Program, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    program("vmstat", "import time\nprint('procs', flush=True)\ntime.sleep(60)")
    results, out = tmp_path / "results.json", tmp_path / "out"
    results.write_bytes((SAMPLES / "pytest-benchmark-5.3.json").read_bytes())
    asked = words(out, "--log", str(results), "--", str(program("bench", "print('2 passed')")))
    assert main(asked) == 0
    names = {benchmark.name for benchmark in read_log(results, "results.json").benchmarks}
    bundle = bundle_in(out)
    assert {step.name for step in bundle.steps} == names
    assert {step.operation for step in bundle.steps} == {"insert"}
    for step in bundle.steps:
        assert step.logs == ("l.i1/output.txt", "l.i1/results.json")
        assert step.formats == {"l.i1/output.txt": "text"}
    assert capsys.readouterr().err.count("named by nothing") == 0
    assert main(asked) == 1
    assert "has a step 'l.i1' already" in capsys.readouterr().err


def test_a_step_that_the_bundle_has_is_refused_before_anything_runs(
    program: Program, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out, ran = tmp_path / "out", tmp_path / "ran"
    assert main(words(out, "--", str(program("bench", "print(1)")))) == 0
    again = program("again", f"open({str(ran)!r}, 'w')")
    assert main(words(out, "--", str(again))) == 1
    assert "has a step 'l.i1' already" in capsys.readouterr().err
    assert not ran.exists()


def test_a_failed_benchmark_is_a_bundle_that_says_so_until_it_is_run_again(
    program: Program, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out"
    bench = program("bench", "import sys\nsys.exit('cannot connect')")
    assert main(words(out, "--", str(bench))) == 1
    assert "status 1 after 0 s: cannot connect" in capsys.readouterr().err
    (step,) = bundle_in(out).steps
    assert step.ended is not None
    assert step.ended.how == "failed"
    assert (out / "l.i1/output.txt").read_text() == "cannot connect\n"
    assert main(words(out, "--", str(program("bench", "print(1)")))) == 0
    (step,) = bundle_in(out).steps
    assert step.ended is None


def test_profiling_is_written_down(program: Program, perf: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    bench = program("bench", "import time\ntime.sleep(2)")
    times = ("--for", "0.05s", "--every", "0.1s", "--captures", "2", "--frequency", "99")
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as server:
        options = ("--profile", "--pid", str(server.pid), *times, "--separate-run", "--raw", "2")
        assert main(words(out, *options, "--", str(bench))) == 0
    bundle = bundle_in(out)
    (step,) = bundle.steps
    assert step.captures == ("l.i1/perf.1.perf-script.zst", "l.i1/perf.2.perf-script.zst")
    assert (step.capture.event, step.capture.scope) == ("cpu-clock", "process")
    assert step.capture.separate_run
    assert bundle.run.tools["perf"] == "version 6.1.187"
    assert perf.read_text().count(f"-p {server.pid} ") == 3
    assert not (tmp_path / "out.raw").exists()


def test_without_perf_nothing_is_measured(
    program: Program, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out"
    assert main(words(out, "--profile", "--", str(program("bench", "print(1)")))) == 1
    assert "perf: not installed" in capsys.readouterr().err
    assert not out.exists()


def test_a_program_that_is_not_there_is_reported_before_anything_is_written(
    program: Program, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out"
    no_program = program("no-program", "")
    no_program.chmod(0o644)
    for command, message in {
        "pgbench": "pgbench: no such program; expected the benchmark to run; install it",
        "./run.sh": "./run.sh: no such program; ",
        str(no_program): f"{no_program}: may not be executed; expected the benchmark to run; chmod",
    }.items():
        assert main(words(out, "--", command, "--time=5")) == 1
        assert capsys.readouterr().err.startswith(message)
    assert not out.exists()


@pytest.mark.parametrize(
    "option", ["--pid=1", "--backend=x", "--name=x", "--command", "--separate-run", "--captures=2"]
)
def test_options_of_a_profile_that_is_not_taken_are_refused(
    program: Program, tmp_path: Path, option: str, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out"
    assert main(words(out, option, "--", str(program("bench", "print(1)")))) == 1
    assert "options of a profile without --profile; add it" in capsys.readouterr().err
    assert not out.exists()


WHOLE = "a whole number above zero"


@pytest.mark.parametrize(
    ("option", "value", "message"),
    [
        ("--for", "0", "'0'; expected a time above zero"),
        ("--every", "5d", "'5d'; expected a time above zero: 3, 0.5s, 2m, 1h"),
        ("--during", "9999h", "'9999h'; expected a time above zero"),
        ("--event", "-x", "'-x'; expected events of perf list"),
        ("--event", "cycles,", "'cycles,'; expected events of perf list"),
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
    tmp_path: Path, option: str, value: str, message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(words(tmp_path / "out", f"{option}={value}", "--", "true")) == 2
    (line,) = capsys.readouterr().err.splitlines()[-1:]
    assert line.startswith(f"perfpress capture: error: argument {option}: {message}")


def test_a_command_or_a_time_is_needed_and_not_both(
    program: Program, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out, bench = tmp_path / "out", str(program("bench", "print(1)"))
    program("sleep", "")
    for more, message in {
        (): "no command; expected the benchmark behind --",
        ("--during", "1s", "--", bench): "both --during and a command",
        ("--during", "1s"): "--during: no name of a benchmark",
        ("--during=1", "--benchmark=x", "--profile", "--command"): "--command, but no command",
        ("--log=output.txt", "--", bench): "output.txt: a second file called output.txt",
        ("--repeat=2", "--profile", "--", bench): "--repeat with --profile; expected repeats",
        ("--repeat-for=2s", "--operations=9", "--", bench): "--repeat with --operations",
    }.items():
        assert main(words(out, *more)) == 1
        assert message in capsys.readouterr().err
    assert not out.exists()


def test_a_load_from_elsewhere_is_measured_for_a_time(program: Program, tmp_path: Path) -> None:
    calls = tmp_path / "calls"
    program("sleep", f"import sys\nopen({str(calls)!r}, 'w').write(' '.join(sys.argv[1:]))")
    out = tmp_path / "out"
    assert main(words(out, "--during", "2m", "--benchmark", "sysbench", "--operations", "9")) == 0
    assert calls.read_text() == "120"
    run = bundle_in(out).run
    assert (run.benchmark, run.steps[0].command) == ("sysbench", None)


def test_a_server_that_does_not_run_is_reported_before_anything_does(
    program: Program, perf: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert perf.parent.is_dir()
    out, bench = tmp_path / "out", str(program("bench", "print(1)"))
    for option in ("--name=no-such-server", "--pid=999999999"):
        assert main(words(out, "--profile", option, "--", bench)) == 1
        assert "no such process; expected a running server" in capsys.readouterr().err
    assert not out.exists()


def test_a_timer_in_place_of_a_counter_is_shown_on_the_screen(
    program: Program, perf: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert perf.parent.is_dir()
    bench = program("bench", "import time\ntime.sleep(1.5)")
    options = ("--profile", "--command", "--for=0.05", "--every=0.1", "--captures=1")
    assert main(words(tmp_path / "out", *options, "--", str(bench))) == 0
    assert "the timer cpu-clock is sampled instead" in capsys.readouterr().err


OWN_FORMAT = """[[numbers]]
pattern = '^load: (?P<value>[\\d.,]+) rows/s'
metric = "throughput"
"""


def test_a_description_says_how_the_output_is_read_and_is_kept(
    program: Program, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("own.toml").write_text(OWN_FORMAT)
    Path("more.txt").write_text("load: 5 rows/s")
    bench = program("bench", "print('load: 81,234 rows/s')")
    formats = ("--format", "own.toml", "--log", "more.txt", "--format", "more.txt=own.toml")
    assert main(words(tmp_path / "out", *formats, "--", str(bench))) == 0
    bundle = bundle_in(tmp_path / "out")
    (step,) = bundle.steps
    assert step.formats == {
        "l.i1/output.txt": "l.i1/own.toml",
        "l.i1/more.txt": "l.i1/own.toml",
    }
    assert not any("command-times" in name for name in step.logs), "it has a rate, and is not timed"
    ((reading, other, *_),) = read_logs(bundle, bundle.steps)
    assert [each.metrics[0].value for each in (reading, other)] == [81_234, 5]


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ("jhm", "did you mean jmh?"),
        ("other.txt=jmh", "no log 'other.txt'; expected output.txt"),
        ("none.toml", "none.toml: cannot be read"),
        ("wrong.toml", "lacks the key `metric`"),
    ],
)
def test_a_wrong_format_is_refused_before_anything_runs(
    given: str,
    said: str,
    program: Program,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("wrong.toml").write_text("[[numbers]]\n")
    bench = program("bench", f"open({str(tmp_path / 'ran')!r}, 'w')")
    try:
        status = main(words(tmp_path / "out", "--format", given, "--", str(bench)))
    except SystemExit as refused:
        status = 2 if refused.code == 2 else 0
    assert status in (1, 2)
    assert said in capsys.readouterr().err
    assert not (tmp_path / "ran").exists()
