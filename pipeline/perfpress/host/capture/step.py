"""Runs the benchmark of one step and collects its logs, counters and captures."""

import re
import shlex
import shutil
import signal
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from threading import Event
from typing import Literal

from perfpress.base.problems import BadInput, Problem, bad_input
from perfpress.base.secrets.redact import redact
from perfpress.base.slugs import slug
from perfpress.host.capture import command_times, host_counters
from perfpress.host.capture.bundle_writer import keep_log, redact_file
from perfpress.host.capture.captures import Profiling, captured, record
from perfpress.host.capture.folding import FOLDED_SUFFIX, RAW_SUFFIX
from perfpress.host.capture.interruption import Interruption
from perfpress.host.capture.profiler import Recording
from perfpress.host.capture.running import Ending, run_command
from perfpress.input.bundles import schema
from perfpress.input.logs.other_logs import is_capture
from perfpress.input.logs.read import DescriptionFile, format_of, other_log_in


@dataclass(frozen=True)
class Repeats:
    """How often a timed command is run."""

    count: int = 1
    seconds: float = 0.0
    """Until so much time has passed, if that takes longer than `count` runs."""


@dataclass(frozen=True)
class StepRequest:
    """One step to be measured."""

    name: str
    operation: str | None
    """`None` for what is usual: a run of a command that is timed itself."""
    command: tuple[str, ...]
    work: Literal["timed", "fixed"] = "timed"
    log: str = "output.txt"
    """The name of the file that the command's output goes into."""
    more_logs: tuple[Path, ...] = ()
    """Files that something else writes meanwhile, copied when the command is over."""
    formats: Mapping[str, str | Path] = field(default_factory=dict)
    """How a log of that name is read, where that is not recognised: a format, or the file of its
    description, which is copied."""
    operations: int | None = None
    """Operations that the command does, where its output does not have them."""
    is_benchmark: bool = True
    """False where the command only waits while something else is measured."""
    perf_stat: bool = False
    """Whether perf counts on the whole host meanwhile."""
    profiling: Profiling | None = None
    repeats: Repeats = Repeats()


@dataclass(frozen=True)
class MeasuredStep:
    """A measured step and its problems."""

    step: schema.Step
    problems: tuple[Problem, ...] = ()

    @property
    def complete(self) -> bool:
        """False where the benchmark failed or was interrupted."""
        return self.step.ended is None


def check_program(program: str) -> None:
    """Check that there is a program of that name, or at that path.

    Raises:
        BadInput: there is no such program.
    """
    if shutil.which(program) is None:
        is_file = "/" in program and Path(program).is_file()
        raise bad_input(
            path=program or "COMMAND",
            found="may not be executed" if is_file else "no such program",
            expected="the benchmark to run",
            do="chmod +x" if is_file else "install it, or correct the name",
        )


def measure(
    request: StepRequest,
    directory: Path,
    interruption: Interruption | None = None,
    progress: Callable[[str], None] = lambda _: None,
) -> MeasuredStep:
    """Run a step's benchmark; write its output, the host's counters and captures for a bundle.

    All files go into `directory/<slug of the step>/`, in the place of those of an earlier try.
    Whatever goes wrong with the benchmark or the profiler is reported: what was measured until then
    is kept.

    Args:
        request: what to measure.
        directory: of the bundle.
        interruption: ends the benchmark when it has a signal.
        progress: called with each stage.

    Raises:
        BadInput: there is a directory of that name that no earlier try made.
    """
    place = directory / slug(request.name)
    profiling = request.profiling
    descriptions = {path for path in request.formats.values() if isinstance(path, Path)}
    files = (*request.more_logs, *descriptions)
    log_names = {request.log, command_times.FILE, *(path.name for path in files)}
    make_empty(place, log_names)
    scratch = place
    if profiling is not None and profiling.raw is not None:
        scratch = profiling.raw
        make_empty(scratch, log_names)
    log = place / request.log
    recording = Recording()

    def record_profile(pid: int, stop: Event) -> None:
        if profiling is not None:
            record(profiling, recording, pid, stop, scratch, progress)

    asked = interruption or Interruption()
    endings: list[Ending] = []
    log.touch()
    with host_counters.host_counters(place, request.perf_stat) as counters:
        while _is_wanted(request, endings, log):
            progress(f"run {len(endings) + 1}" if endings else "running")
            endings.append(run_command(request.command, log, asked, record_profile))
    ending = endings[-1]
    is_cut = ending.stopped_by is not None
    captures = captured(profiling, recording, place, request.name, is_cut, progress)
    logs, problems = _logs(request, log, counters)
    notes: list[Problem] = []
    for description in descriptions:
        keep_log(description, place)
    is_timed = _is_whole(ending) and _is_timed(request, [log, *logs])
    if is_timed and request.repeats == Repeats() and (unread := _unread_rates(request, log)):
        is_timed = False
        problems.append(unread)
    formats = {
        name: given if isinstance(given, str) else f"{place.name}/{given.name}"
        for name, given in request.formats.items()
    }
    others = [each for each in logs if each != log]
    is_text = is_timed or (bool(others) and _has_rate(request, others))
    if is_text and log in logs and log.name not in formats and not format_of(log):
        formats[log.name] = "text"
    if is_timed:
        if log in logs and request.repeats == Repeats():
            notes.append(_is_timed_itself(request))
        logs.append(place / command_times.FILE)
        command_times.write_times(logs[-1], shown_command(request.command), endings)
    elif request.repeats != Repeats() and _is_whole(ending):
        notes.append(_not_repeated(request))
    step = schema.Step(
        name=request.name,
        operation=request.operation or ("run" if is_timed else "operation"),
        work="fixed" if is_timed else request.work,
        operations=request.operations,
        seconds=round(ending.seconds, 3) if request.operations else None,
        command=shown_command(request.command) if request.is_benchmark else None,
        ended=_ended(request, ending, log),
        logs=tuple(f"{place.name}/{path.name}" for path in logs),
        formats={f"{place.name}/{name}": given for name, given in formats.items()},
        captures=tuple(f"{place.name}/{path.name}" for path in captures.files),
        capture=captures.capture,
    )
    return MeasuredStep(step, (*_ending_problems(step), *problems, *captures.problems, *notes))


def _is_whole(ending: Ending) -> bool:
    return ending.status == 0 and ending.stopped_by is None


def _is_timed(request: StepRequest, logs: Sequence[Path]) -> bool:
    """Return whether the command's own time is the result, because no log has a rate."""
    if request.operations or not request.is_benchmark:
        return False
    return not _has_rate(request, logs)


def _has_rate(request: StepRequest, logs: Sequence[Path]) -> bool:
    formats = {
        name: DescriptionFile(given, given.name) if isinstance(given, Path) else given
        for name, given in request.formats.items()
    }
    return command_times.has_rate([path for path in logs if path.exists()], formats)


def _is_wanted(request: StepRequest, endings: Sequence[Ending], log: Path) -> bool:
    """Return whether the command is to be run (again)."""
    if not endings:
        return True
    passed = sum(ending.seconds for ending in endings)
    if len(endings) >= request.repeats.count and passed >= request.repeats.seconds:
        return False
    return _is_whole(endings[-1]) and (len(endings) > 1 or _is_timed(request, [log]))


def _unread_rates(request: StepRequest, log: Path) -> Problem | None:
    """Return a problem where a harness printed rates in a form that is not read.

    It chooses itself how often it repeats what it measures: the time of the command says nothing.
    """
    printed = other_log_in(log)
    if printed is None or is_capture(printed):
        return None
    return Problem(
        path=request.name,
        found=f"{printed.found}: none of its numbers is read",
        expected="a log of a known format",
        do=f"{printed.do}, and name that file as a log",
    )


def _is_timed_itself(request: StepRequest) -> Problem:
    return Problem(
        path=request.name,
        found="no rate in what it printed: the number is how long the command took",
        expected="a log of a known format, or a command that does the same work each time",
        do="where it runs for a set time, that says nothing: give --operations, or a --log",
        severity="warning",
    )


def _not_repeated(request: StepRequest) -> Problem:
    return Problem(
        path=request.name,
        found="the benchmark prints how fast it was, so it was run once",
        expected="a command that is timed itself",
        do="to repeat this one, capture it again with another --out: each is a run of its own",
        severity="warning",
    )


def _logs(
    request: StepRequest, log: Path, counters: Sequence[Path]
) -> tuple[list[Path], list[Problem]]:
    """Return the logs of a step, without their secrets, and what is wrong with them."""
    problems: list[Problem] = []
    logs = []
    if log.stat().st_size:
        redact_file(log)
        logs.append(log)
    else:
        log.unlink()
    for path in request.more_logs:
        try:
            logs.append(keep_log(path, log.parent))
        except BadInput as failure:
            problems += failure.problems
    for counter in counters:
        # One that may not count prints nothing.
        if counter.exists() and counter.stat().st_size:
            logs.append(counter)
        else:
            counter.unlink(missing_ok=True)
    return logs, problems


def _ended(request: StepRequest, ending: Ending, log: Path) -> schema.Ended | None:
    """Return why a step is not whole; `None` where it is."""
    program, seconds = Path(request.command[0]).name, f"after {ending.seconds:.0f} s"
    if ending.stopped_by is not None:
        return schema.Ended(how="cut", reason=f"stopped by {ending.stopped_by.name} {seconds}")
    if ending.status == 0:
        return None
    last = _last_line(log)
    if ending.status is None:
        return schema.Ended(how="failed", reason=f"{program} cannot be started: {last}")
    status = _in_words(ending.status)
    return schema.Ended(how="failed", reason=f"{program} ended with {status} {seconds}: {last}")


def _ending_problems(step: schema.Step) -> list[Problem]:
    if step.ended is None:
        return []
    kept = "what there is of it is in the bundle, marked; run the same again to replace it"
    return [Problem(path=step.name, found=step.ended.reason, expected="a whole run", do=kept)]


def _in_words(status: int) -> str:
    if status > 0:
        return f"status {status}"
    return f"signal {-status} ({signal.strsignal(-status)})"


def _last_line(log: Path) -> str:
    """Return the last line of a log that is not empty; of a long log only its end is read."""
    if not log.exists():
        return "no output"
    with log.open("rb") as file:
        file.seek(max(0, log.stat().st_size - 10_000))
        lines = file.read().decode("utf-8", "replace").split("\n")
    last = next((line.strip()[:300] for line in reversed(lines) if line.strip()), "no output")
    return "".join(char if char.isprintable() else " " for char in last)


PROBE = "secret0word"
"""A placeholder value, to test whether the value of an option would be redacted as a secret."""


def shown_command(words: Sequence[str]) -> str:
    """Return a command as a shell takes it, without secrets, in UTF-8.

    A secret may hold spaces and quotes: where an option is one of a secret, all of its value goes.
    """
    shown: list[str] = []
    for index, word in enumerate(words):
        before = words[index - 1] if index else ""
        shown.append(_shown_word(word, before))
    text = redact(shlex.join(shown))[0]
    return text.encode("utf-8", "backslashreplace").decode()


def _shown_word(word: str, before: str) -> str:
    """Return a word of a command without its secret; `before` is the word before it."""
    key, equals, _ = word.partition("=")
    if equals and (marked := _marked(f"{key}=")):
        return marked
    if before.startswith("-") and "=" not in before and (marked := _marked(f"{before} ")):
        return word if word.startswith("-") else marked.removeprefix(f"{before} ")
    return word


def _marked(option: str) -> str | None:
    """Return the option with the marker of a redacted secret; `None` where it takes none."""
    text, found = redact(f"{option}{PROBE}")
    return text if found and PROBE not in text else None


OWN_FILE = re.compile(
    rf"{'|'.join(map(re.escape, host_counters.FILES))}"
    rf"|perf\.\d+(\.[a-z0-9._-]+)?({re.escape(RAW_SUFFIX)}|{re.escape(FOLDED_SUFFIX)}|\.data|\.txt)"
)
"""Names in the directory of a step that are not logs."""


def make_empty(directory: Path, logs: Collection[str]) -> None:
    """Make the directory of a step; remove what an earlier try left there, and nothing else.

    Args:
        directory: of the bundle, or of the files kept next to it.
        logs: the names of the step's logs.

    Raises:
        BadInput: it holds something else.
    """
    if directory.exists() or directory.is_symlink():
        is_directory = directory.is_dir() and not directory.is_symlink()
        entries = list(directory.iterdir()) if is_directory else []
        own = [each for each in entries if each.name in logs or OWN_FILE.fullmatch(each.name)]
        if not is_directory or own != entries:
            raise bad_input(
                path=str(directory),
                found="holds what is not of an earlier try of this step",
                expected="a directory that is not there yet",
                do="call the step otherwise, or write into another directory: --out DIR",
            )
        for entry in entries:
            entry.unlink()
    directory.mkdir(parents=True, exist_ok=True)
