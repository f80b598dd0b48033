"""Whatever stops a capture: it leaves a bundle that says so, or none; and nothing that runs on."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from fake_programs import Program
from perfpress.__main__ import main
from perfpress.host.capture import interruption
from perfpress.input.bundles.read import read_bundle
from perfpress.input.bundles.schema import Step

WHAT = ["--report", "r", "--release", "18", "--host", "h", "--operation", "insert"]
SLEEPER = "import time\nprint('tps = 5', flush=True)\ntime.sleep(60)"


def wait_for(what: Callable[[], object]) -> None:
    deadline = time.monotonic() + 60
    while not what():
        assert time.monotonic() < deadline
        time.sleep(0.02)


def started(out: Path, *words: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "perfpress", "capture", *WHAT, "--out", str(out), *words]
    return subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, process_group=0
    )


def only_step(out: Path) -> Step:
    bundle, problems = read_bundle(out, "out")
    assert bundle is not None, problems
    (step,) = bundle.steps
    return step


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_what_was_measured_until_a_signal_is_a_bundle_that_was_cut_short(
    program: Program, tmp_path: Path, number: signal.Signals
) -> None:
    out = tmp_path / "out"
    with started(out, "--step", "load", "--", str(program("bench", SLEEPER))) as capture:
        log = out / "load/output.txt"
        wait_for(lambda: log.exists() and log.read_text())
        assert not (out / "run.toml").exists()
        capture.send_signal(number)
        _, errors = capture.communicate(timeout=60)
    assert capture.returncode == 1
    assert f"stopped by {number.name} after" in errors
    assert "Traceback" not in errors
    step = only_step(out)
    assert step.ended is not None
    assert step.ended.how == "cut"
    assert log.read_text().startswith("tps = 5\n")
    assert [path.name for path in out.glob("*.toml*")] == ["run.toml"]


def test_what_nohup_ignores_stops_nothing() -> None:
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        with interruption.noted() as asked_to_stop:
            os.kill(os.getpid(), signal.SIGHUP)
            assert asked_to_stop.signal is None
            os.kill(os.getpid(), signal.SIGTERM)
            os.kill(os.getpid(), signal.SIGINT)
        assert asked_to_stop.signal == signal.SIGTERM
        assert signal.getsignal(signal.SIGHUP) is signal.SIG_IGN
        assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
    finally:
        signal.signal(signal.SIGHUP, before)


def test_what_a_script_has_started_ends_with_it(program: Program, tmp_path: Path) -> None:
    # A shell's background processes ignore Ctrl-C.
    pid = tmp_path / "pid"
    text = (
        "import signal, subprocess, sys, time\n"
        "child = subprocess.Popen([sys.executable, '-c', 'import signal, time; "
        "signal.signal(signal.SIGINT, signal.SIG_IGN); time.sleep(60)'])\n"
        f"open({str(pid)!r}, 'w').write(str(child.pid))\ntime.sleep(60)"
    )
    with started(tmp_path / "out", "--step", "s", "--", str(program("bench", text))) as capture:
        wait_for(lambda: pid.exists() and pid.read_text())
        time.sleep(0.3)
        capture.send_signal(signal.SIGINT)
        capture.communicate(timeout=60)
    wait_for(lambda: not is_running(int(pid.read_text())))


def is_running(pid: int) -> bool:
    try:
        return ") Z " not in Path(f"/proc/{pid}/stat").read_text()
    except FileNotFoundError:
        return False


def test_a_benchmark_that_prints_its_summary_on_ctrl_c_is_cut_short_all_the_same(
    program: Program, tmp_path: Path
) -> None:
    text = (
        "import time\nprint('begun', flush=True)\n"
        "try:\n    time.sleep(60)\nexcept KeyboardInterrupt:\n    print('tps = 5')"
    )
    out = tmp_path / "out"
    with started(out, "--step", "s", "--", str(program("bench", text))) as capture:
        log = out / "s/output.txt"
        wait_for(lambda: log.exists() and log.read_text())
        capture.send_signal(signal.SIGINT)
        capture.communicate(timeout=60)
    assert log.read_text() == "begun\ntps = 5\n"
    assert only_step(out).ended is not None


def test_a_signal_before_anything_runs_leaves_nothing(
    program: Program, perf: Path, tmp_path: Path
) -> None:
    out, bench = tmp_path / "out", str(program("bench", SLEEPER))
    text = perf.with_name("perf").read_text()
    slow = text.replace('if words == ["--version"]', 'time.sleep(1)\nif words == ["--version"]')
    perf.with_name("perf").write_text(slow)
    with started(out, "--step", "s", "--profile", "--command", "--", bench) as capture:
        wait_for(lambda: perf.exists() and "record" in perf.read_text())
        capture.send_signal(signal.SIGINT)
        capture.communicate(timeout=30)
    assert capture.returncode == 130
    assert not out.exists()


def test_a_capture_that_is_killed_leaves_nothing_that_looks_whole(
    program: Program, tmp_path: Path
) -> None:
    out, pids = tmp_path / "out", tmp_path / "pids"
    report = f"import os\nopen({str(pids)!r}, 'a').write(f'{{os.getpid()}}\\n')\n"
    program(
        "vmstat",
        f"{report}import time\nwhile True:\n    print(1, flush=True)\n    time.sleep(0.05)",
    )
    first = str(program("first", "print(1)"))
    assert main(["capture", *WHAT, "--out", str(out), "--step", "first", "--", first]) == 0
    pids.unlink(missing_ok=True)
    with started(out, "--step", "second", "--", str(program("bench", report + SLEEPER))) as capture:
        log = out / "second/output.txt"
        wait_for(lambda: log.exists() and log.read_text())
        wait_for(lambda: pids.exists() and len(pids.read_text().splitlines()) == 2)
        capture.kill()
        capture.communicate(timeout=60)
    running = [int(line) for line in pids.read_text().split()]
    try:
        assert read_bundle(out, "out")[0] is None
        wait_for(lambda: sum(map(is_running, running)) == 1)  # the benchmark, but no counter
    finally:
        for pid in filter(is_running, running):
            os.kill(pid, signal.SIGKILL)
    assert main(["capture", *WHAT, "--out", str(out), "--step", "second", "--", first]) == 0
    bundle, _ = read_bundle(out, "out")
    assert bundle is not None
    assert [step.name for step in bundle.steps] == ["first", "second"]


def test_a_full_disk_leaves_nothing_that_looks_whole(
    program: Program,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    def full(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")  # without a name, as `write` says it

    out, bench = tmp_path / "out", str(program("bench", "print(1)"))
    monkeypatch.setattr(Path, "write_text", full)
    assert main(["capture", *WHAT, "--out", str(out), "--step", "s", "--", bench]) == 1
    assert (
        f"{out}: No space left on device; expected a place for the bundle"
        in capsys.readouterr().err
    )
    assert [path.name for path in out.iterdir()] == ["s"]
