"""Runs the benchmark of one step and keeps what there is to know of it."""

import re
import shlex
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from pipeline.bundle import schema
from pipeline.bundle.secrets import redact
from pipeline.capture import host_counters, profiler
from pipeline.capture.bundle_writer import redact_file
from pipeline.capture.folding import FOLDED_SUFFIX, RAW_SUFFIX, Folder, write_capture
from pipeline.capture.profiler import Sampling
from pipeline.problems import BadInput, Problem
from pipeline.slug import slug

STOP_SECONDS = 10.0
"""How long an interrupted benchmark may take to end before it is killed."""


@dataclass(frozen=True)
class Profiling:
    """Whom to profile during a step, and how."""

    sampling: Sampling
    event: str
    """As `profiler.available_event` answered."""
    folder: Folder | None
    find_pids: Callable[[], Sequence[int]] | None
    """Finds the processes; `None` profiles the whole host."""
    separate_run: bool = False
    """True where the run is made for its profile."""


@dataclass(frozen=True)
class StepRequest:
    """One step to be measured."""

    name: str
    operation: str
    command: tuple[str, ...]
    work: Literal["timed", "fixed"] = "timed"
    log: str = "output.txt"
    """The name of the file that the command's output goes into."""
    operations: int | None = None
    """Operations that the command does, where its output does not tell."""
    profiling: Profiling | None = None


@dataclass(frozen=True)
class Measured:
    """A step as it went."""

    step: schema.Step
    complete: bool
    """False where the benchmark failed or was interrupted."""
    problems: tuple[Problem, ...] = ()


@dataclass(frozen=True)
class Ending:
    """How a benchmark ended."""

    seconds: float
    status: int | None
    """As subprocess gives it: negative for a signal; `None` where it could not be started."""
    interrupted: bool


def check_program(program: str) -> None:
    """Check that there is a program of that name, or at that path.

    Raises:
        BadInput: there is none.
    """
    if shutil.which(program) is None:
        is_file = "/" in program and Path(program).is_file()
        raise BadInput(
            Problem(
                path=program or "COMMAND",
                found="may not be executed" if is_file else "no such program",
                expected="the benchmark to run",
                do="chmod +x" if is_file else "install it, or correct the name",
            )
        )


def measure(request: StepRequest, directory: Path) -> Measured:
    """Run a step's benchmark; write its output, the host's counters and captures for a bundle.

    All files go into `directory/<slug of the step>/`, in the place of those of an earlier try.
    Whatever goes wrong with the benchmark or the profiler is told as problems: what was measured
    until then is kept.

    Raises:
        BadInput: there is a directory of that name that no earlier try made.
    """
    place = directory / slug(request.name)
    _make_empty(place, request.log)
    log = place / request.log
    counters = place / host_counters.FILE_NAME
    with tempfile.TemporaryDirectory(prefix="perfpress-") as scratch:
        with host_counters.host_counters(counters) as counted:
            ending, recording = _run(request, log, Path(scratch))
        captures, problems = _captures(request, recording, place)
    redact_file(log)
    problems = [*_ending_problems(request, ending, log), *problems]
    names = [log.name, *([counters.name] if counted else [])]
    step = schema.Step(
        name=request.name,
        operation=request.operation,
        work=request.work,
        operations=request.operations,
        seconds=round(ending.seconds, 3) if request.operations else None,
        command=_as_text(redact(shlex.join(request.command))[0]),
        logs=tuple(f"{place.name}/{name}" for name in names),
        captures=tuple(f"{place.name}/{path.name}" for path in captures.files),
        capture=captures.capture,
    )
    complete = ending.status == 0 and not ending.interrupted
    return Measured(step, complete, tuple(problems))


OWN_FILE = re.compile(
    rf"{re.escape(host_counters.FILE_NAME)}|perf\.\d+({re.escape(RAW_SUFFIX)}|{re.escape(FOLDED_SUFFIX)})"
)
"""What stands in the directory of a step beside the log."""


def _make_empty(place: Path, log: str) -> None:
    """Make the directory of a step; remove what an earlier try left there, and nothing else."""
    if not place.exists():
        place.mkdir(parents=True)
        return
    is_directory = place.is_dir() and not place.is_symlink()
    entries = list(place.iterdir()) if is_directory else []
    own = [entry for entry in entries if entry.name == log or OWN_FILE.fullmatch(entry.name)]
    if not is_directory or own != entries:
        raise BadInput(
            Problem(
                path=str(place),
                found="holds what is not of an earlier try of this step",
                expected="a directory that is not there yet",
                do="call the step otherwise, or write into another directory: --out DIR",
            )
        )
    for entry in entries:
        entry.unlink()


def _as_text(command: str) -> str:
    """Return a command as UTF-8 can hold it: arguments may be any bytes."""
    return command.encode("utf-8", "backslashreplace").decode()


NO_CAPTURE = schema.Capture()


@dataclass(frozen=True)
class _Captures:
    files: tuple[Path, ...] = ()
    capture: schema.Capture = NO_CAPTURE


def _run(
    request: StepRequest, log: Path, scratch: Path
) -> tuple[Ending, "Future[list[Path]] | None"]:
    """Run the benchmark, and the profiler beside it."""
    with log.open("wb") as output, ThreadPoolExecutor(max_workers=1) as beside:
        begun = time.monotonic()
        try:
            benchmark = subprocess.Popen(
                request.command, stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.STDOUT
            )
        except OSError as error:
            output.write(f"{error.strerror}\n".encode())
            return Ending(0.0, None, interrupted=False), None
        recording = (
            beside.submit(_record, request.profiling, benchmark, scratch)
            if request.profiling
            else None
        )
        interrupted = False
        try:
            benchmark.wait()
        except KeyboardInterrupt:
            interrupted = True
            _stop(benchmark)
        seconds = time.monotonic() - begun
        return Ending(seconds, benchmark.returncode, interrupted), recording


def _record(profiling: Profiling, benchmark: subprocess.Popen[bytes], scratch: Path) -> list[Path]:
    def is_running() -> bool:
        return benchmark.poll() is None

    return profiler.record_captures(
        profiling.sampling, profiling.event, profiling.find_pids, is_running, scratch
    )


def _captures(
    request: StepRequest, recording: "Future[list[Path]] | None", place: Path
) -> tuple[_Captures, list[Problem]]:
    """Turn what was recorded into files of the bundle."""
    if recording is None or request.profiling is None:
        return _Captures(), []
    profiling, sampling = request.profiling, request.profiling.sampling
    try:
        recorded = [profiler.recorded(data) for data in recording.result()]
        files = [
            write_capture(
                one, f"perf.{number}", profiling.folder if number > sampling.raw else None, place
            )
            for number, one in enumerate(recorded, start=1)
        ]
    except BadInput as failure:
        return _Captures(), list(failure.problems)
    problems = []
    if len(files) < sampling.captures:
        problems.append(
            Problem(
                path=request.name,
                found=f"{len(files)} captures before the benchmark ended",
                expected=f"{sampling.captures}",
                do="let it run longer, or take fewer or shorter captures",
                severity="warning" if files else "error",
            )
        )
    capture = schema.Capture(
        event=profiling.event,
        frequency=sampling.frequency,
        seconds=sampling.seconds,
        scope="process" if profiling.find_pids else "host",
        separate_run=profiling.separate_run,
        lost=sum(one.lost for one in recorded),
    )
    return _Captures(tuple(files), capture), problems


def _ending_problems(request: StepRequest, ending: Ending, log: Path) -> list[Problem]:
    if ending.status == 0 and not ending.interrupted:
        return []
    program, do = request.command[0], "run it again"
    if ending.interrupted:
        found = f"interrupted after {ending.seconds:.0f} s"
    elif ending.status is None:
        found, do = f"{program} cannot be started: {_last_line(log)}", "correct the command"
    else:
        found = f"{program} ended with {_in_words(ending.status)}: {_last_line(log)}"
    return [Problem(path=request.name, found=found, expected="a whole run", do=do)]


def _in_words(status: int) -> str:
    if status > 0:
        return f"status {status}"
    return f"signal {-status} ({signal.strsignal(-status)})"


def _last_line(log: Path) -> str:
    lines = log.read_text(encoding="utf-8", errors="replace").split("\n")
    return next((line.strip()[:300] for line in reversed(lines) if line.strip()), "no output")


def _stop(process: subprocess.Popen[bytes]) -> None:
    process.terminate()
    try:
        process.wait(STOP_SECONDS)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
