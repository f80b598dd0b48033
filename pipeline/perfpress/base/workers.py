"""Processes that answer requests, one after the other, each within a budget of time and memory.

A request is a line of JSON, and so is its answer, which is one of

    {"ok": true, "result": …}
    {"ok": false, "problems": […]}      the input is bad
    {"ok": false, "over": "…"}          the input asks for more than its budget
    {"ok": false, "defect": "…"}        we are: an exception, or a process that ended

The system ends a process that takes more CPU time or memory than the budget has, and this module
one that takes more wall time. It is started again, so a request costs itself only.
"""

import contextlib
import json
import os
import select
import signal
import subprocess
import sys
import tempfile
import time
from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import IO, Any, BinaryIO, Generic, Protocol, TypeVar

import msgspec

from perfpress.base.limits import Budget
from perfpress.base.problems import REPORT_IT, Problem, over_budget

WorkerRequest = Mapping[str, Any]
WorkerAnswer = dict[str, Any]
Made = TypeVar("Made")
Serve = Callable[[Iterable[bytes], BinaryIO], None]
"""Answers the lines of requests until there are no more."""

READ_AT_ONCE = 1 << 16
SHOWN_OF_ERRORS = 10_000
PATIENCE = 5.0
"""Seconds in which a process ends that has nothing more to do."""

OUT_OF_MEMORY = (-signal.SIGABRT, -signal.SIGTRAP, -signal.SIGILL)
"""How V8 ends where the system gives it no more."""


class Process(Protocol):
    """What `subprocess.Popen` and `Fork` have in common."""

    @property
    def pid(self) -> int: ...  # noqa: D102
    @property
    def stdin(self) -> IO[bytes] | None: ...  # noqa: D102
    @property
    def stdout(self) -> IO[bytes] | None: ...  # noqa: D102
    def kill(self) -> None: ...  # noqa: D102
    def wait(self, timeout: float | None = None) -> int: ...  # noqa: D102


class Program:
    """Starts a program."""

    def __init__(self, *command: str, memory: int = 0) -> None:
        self._command = command
        self.name = os.path.basename(command[0])  # noqa: PTH119
        self.memory = memory
        """Bytes that it takes before it reads a request; how many is seen only when it has them."""

    def __call__(self, errors: IO[bytes]) -> Process:
        """Start it."""
        pipe = subprocess.PIPE
        return subprocess.Popen(self._command, stdin=pipe, stdout=pipe, stderr=errors)


class Fork:
    """Starts a copy of this process, with all that is imported: a tenth of what a new one costs.

    Only where one thread runs Python: what another thread has locked stays locked in the copy.
    """

    name = "python"
    memory = 0
    """A fork has all of it from the beginning."""

    def __init__(self, serve: Serve) -> None:
        self._serve = serve

    def __call__(self, errors: IO[bytes]) -> Process:
        """Start it."""
        requests, ours = os.pipe()
        theirs, answers = os.pipe()
        pid = os.fork()
        if pid == 0:
            self._run(requests, answers, errors.fileno())
        os.close(requests)
        os.close(answers)
        return _Forked(pid, open(ours, "wb"), open(theirs, "rb"))  # noqa: PTH123

    def _run(self, requests: int, answers: int, errors: int) -> None:
        status = 1
        try:
            for caught in (signal.SIGINT, signal.SIGTERM):
                signal.signal(caught, signal.SIG_DFL)
            # Nothing else that is open here is for it, least of all the pipes of its siblings.
            for target, file in enumerate([os.dup(requests), os.dup(answers), os.dup(errors)]):
                os.dup2(file, target)
            os.closerange(3, os.sysconf("SC_OPEN_MAX"))
            with open(0, "rb") as lines, open(1, "wb") as out:
                self._serve(lines, out)
            status = 0
        finally:
            os._exit(status)


class _Forked:
    """A process that `Fork` started."""

    def __init__(self, pid: int, stdin: IO[bytes], stdout: IO[bytes]) -> None:
        self.pid = pid
        self.stdin = stdin
        self.stdout = stdout

    def kill(self) -> None:
        os.kill(self.pid, signal.SIGKILL)

    def wait(self, timeout: float | None = None) -> int:
        until = None if timeout is None else time.monotonic() + timeout
        while True:
            pid, status = os.waitpid(self.pid, 0 if until is None else os.WNOHANG)
            if pid:
                return os.waitstatus_to_exitcode(status)
            if until is not None and time.monotonic() > until:
                raise subprocess.TimeoutExpired(Fork.name, timeout or 0)
            time.sleep(0.001)


def answering(function: Callable[[WorkerAnswer], Any]) -> Serve:
    """Return a request handler from a function; a failing request does not affect the others."""

    def serve(lines: Iterable[bytes], out: BinaryIO) -> None:
        for line in lines:
            try:
                answer = {"ok": True, "result": function(msgspec.json.decode(line))}
                text = msgspec.json.encode(answer)
            except MemoryError:
                text = msgspec.json.encode({"ok": False, "over": "memory"})
            except Exception as error:
                text = msgspec.json.encode({"ok": False, "defect": ascii(error)})
            out.write(text + b"\n")
            out.flush()

    return serve


def failures(answer: WorkerAnswer, about: str, job: str) -> list[Problem]:
    """Return the problems of an answer that are not of the input: over its budget, or a defect.

    Args:
        answer: to a request.
        about: what the request was of.
        job: what was done with it.
    """
    if "over" in answer:
        return [over_budget(about, job, answer["over"])]
    if "defect" in answer:
        found = f"{job} failed: {answer['defect'][:500]}"
        return [Problem(path=about, found=found, do=REPORT_IT)]
    return []


def run_requests(
    start: Program | Fork,
    requests: Sequence[WorkerRequest],
    processes: int = 1,
    budgets: Sequence[Budget] | None = None,
) -> list[WorkerAnswer]:
    """Answer requests in a pool that ends with them: see `Pool.answers`.

    Args:
        start: starts a process.
        requests: plain data.
        processes: how many to run at once.
        budgets: one a request; None for requests of the user's own, who waits for them.
    """
    with Pool(start, processes) as pool:
        return pool.answers(requests, budgets)


class Pool:
    """Processes that stay between requests, for a program whose start takes long."""

    def __init__(self, start: Program | Fork, processes: int = 1) -> None:
        """Start none yet.

        Args:
            start: starts a process.
            processes: how many to run at once.
        """
        self._start = start
        self._most = max(1, processes)
        self._workers: list[_Worker] = []

    def __enter__(self) -> "Pool":
        return self

    def __exit__(self, *_: object) -> None:
        self.end()

    def begin(self, count: int) -> None:
        """Start processes for so many requests, but no more than may run at once."""
        while len(self._workers) < min(self._most, count):
            self._workers.append(_Worker(self._start))

    def answers(
        self, requests: Sequence[WorkerRequest], budgets: Sequence[Budget] | None = None
    ) -> list[WorkerAnswer]:
        """Send requests, wait, and return the answers in the order of the requests.

        Args:
            requests: plain data.
            budgets: one a request; None for requests of the user's own, who waits for them.
        """
        answers: list[WorkerAnswer] = [{} for _ in requests]
        waiting = deque(range(len(requests)))
        self.begin(len(requests))
        idle = list(self._workers)
        busy: dict[_Worker, int] = {}
        try:
            while waiting or busy:
                while waiting and idle:
                    number, worker = waiting.popleft(), idle.pop()
                    budget = budgets[number] if budgets is not None else None
                    worker.ask({"id": number, **requests[number]}, budget)
                    busy[worker] = number
                for worker in _ready(busy):
                    answer = worker.answer()
                    if answer is not None:
                        answers[busy.pop(worker)] = answer
                        idle.append(worker)
        except BaseException:
            self.end()
            raise
        return answers

    def end(self) -> None:
        """End the processes, whatever they do; the next requests start others."""
        while self._workers:
            self._workers.pop().end()


class Copy(Generic[Made]):
    """A copy of this process that does one thing while this one goes on.

    Whoever needs what it makes does what it could not, and finds out why.
    """

    def __init__(self, work: Callable[[], Made]) -> None:
        """Begin the work, which returns what JSON has."""

        def answer(_: WorkerAnswer) -> Made:
            return work()

        self._work = work
        self._worker = _Worker(Fork(answering(answer)))
        self._worker.ask({}, None)
        self._worker.ask_no_more()

    def __enter__(self) -> "Copy[Made]":
        return self

    def __exit__(self, *_: object) -> None:
        self.end()

    def wait(self) -> WorkerAnswer:
        """Wait until it is done, or has failed."""
        while (answer := self._worker.answer()) is None:
            pass
        return answer

    def made(self) -> Made:
        """Wait, and return what it made; where it has failed, make that here."""
        answer = self.wait()
        made: Made = answer["result"] if answer["ok"] else self._work()
        return made

    def end(self) -> None:
        """End it, whatever it does."""
        self._worker.end()


def _ready(workers: Iterable["_Worker"]) -> list["_Worker"]:
    """Wait; return the workers that have written something, ended, or been waited for too long."""
    polled = select.poll()
    for worker in workers:
        polled.register(worker.output, select.POLLIN)
    left = min(worker.until for worker in workers) - time.monotonic()
    written = {file for file, _ in polled.poll(None if left == FOREVER else max(0, left) * 1000)}
    now = time.monotonic()
    return [worker for worker in workers if worker.output in written or worker.until <= now]


FOREVER = float("inf")
LEAST_PROGRESS = 0.01
"""Of its CPU time, by which a process must get on in each of its spans of wall time."""


class _Worker:
    """A process that answers requests, and is started again when it has ended."""

    def __init__(self, start: Program | Fork) -> None:
        self._start = start
        self._errors = tempfile.TemporaryFile()  # noqa: SIM115
        self._is_busy = False
        self._begin()

    def end(self) -> None:
        """End the process, whatever it does."""
        self._end(kill=self._is_busy)
        self._errors.close()

    def ask(self, request: WorkerRequest, budget: Budget | None) -> None:
        """Send one request."""
        self._request = request
        self._budget = budget
        self._pieces: list[bytes] = []
        self._is_busy = True
        self.until = FOREVER
        if budget is not None:
            _hold(self._process.pid, budget, self._memory)
            self._spent = _cpu_seconds_of(self._process.pid)
            self.until = time.monotonic() + budget.wall_seconds
        assert self._process.stdin is not None
        with contextlib.suppress(BrokenPipeError):
            self._process.stdin.write(json.dumps(request).encode() + b"\n")
            self._process.stdin.flush()

    def ask_no_more(self) -> None:
        """Have the process end with its last answer: until then it holds memory."""
        assert self._process.stdin is not None
        self._process.stdin.close()

    def answer(self) -> WorkerAnswer | None:
        """Return the answer; None while there is more to wait for."""
        late = time.monotonic() >= self.until
        if late and self._works():
            return None
        if not late:
            self._pieces.append(os.read(self.output, READ_AT_ONCE))
            if self._pieces[-1] and not self._pieces[-1].endswith(b"\n"):
                return None
        line = b"".join(self._pieces)
        used = self._answered > 0
        answer: WorkerAnswer = json.loads(line) if line.endswith(b"\n") else self._ended(late)
        if answer.get("over") == "memory" and used:
            # What earlier requests left behind counts too: only a new process is fair.
            self._end()
            self._begin()
            self.ask(self._request, self._budget)
            return None
        if "over" in answer and self._budget is not None:
            answer["over"] = self._budget.words(answer["over"])
        self._forward_errors(shown="defect" in answer)
        self._answered += 1
        self._is_busy = False
        return answer

    def _works(self) -> bool:
        """Return whether the process got CPU time meanwhile, and give it as long again then.

        The system ends it when it has used all that it may; on a busy machine that takes longer.
        """
        assert self._budget is not None
        before, self._spent = self._spent, _cpu_seconds_of(self._process.pid)
        self.until = time.monotonic() + self._budget.wall_seconds
        return self._spent - before >= LEAST_PROGRESS * self._budget.cpu_seconds

    def _ended(self, late: bool) -> WorkerAnswer:
        """Return why there is no answer, with a new process in place of the old one."""
        budget = self._budget
        status = self._end(kill=late)
        self._begin()
        if status == -signal.SIGXCPU:
            return {"ok": False, "over": "time"}
        if budget is not None and status in OUT_OF_MEMORY:
            return {"ok": False, "over": "memory"}
        if late and budget is not None:
            return {"ok": False, "defect": f"no answer within {budget.wall_seconds:.0f} s"}
        return {"ok": False, "defect": f"{self._start.name} ended with status {status}"}

    def _begin(self) -> None:
        self._process = self._start(self._errors)
        assert self._process.stdout is not None
        self.output = self._process.stdout.fileno()
        self._memory = max(self._start.memory, _memory_of(self._process.pid))
        self._answered = 0

    def _end(self, kill: bool = False) -> int:
        """Let the process end; return its exit status."""
        if kill:
            self._process.kill()
        for pipe in (self._process.stdin, self._process.stdout):
            with contextlib.suppress(BrokenPipeError):
                if pipe is not None:
                    pipe.close()
        try:
            return self._process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            self._process.kill()
            return self._process.wait()

    def _forward_errors(self, shown: bool) -> None:
        """Show what the process wrote of a defect; of bad input it has nothing to say."""
        self._errors.seek(0)
        text = self._errors.read(SHOWN_OF_ERRORS) if shown else b""
        if text:
            sys.stderr.write(text.decode("utf-8", "replace"))
        self._errors.seek(0)
        self._errors.truncate()


def _hold(process: int, budget: Budget, memory: int) -> None:
    """Have the system end a process that takes more from now on; only Linux can.

    Args:
        process: its id.
        budget: of what it does next.
        memory: bytes that it began with.
    """
    try:
        from resource import RLIMIT_CORE, RLIMIT_CPU, RLIMIT_DATA, prlimit
    except ImportError:
        return
    with contextlib.suppress(ProcessLookupError):
        spent = _cpu_seconds_of(process)
        limits = (
            (RLIMIT_CORE, 0),
            (RLIMIT_CPU, int(spent + budget.cpu_seconds) + 1),
            (RLIMIT_DATA, memory + budget.memory_bytes),
        )
        for limit, most in limits:
            _, hard = prlimit(process, limit)
            prlimit(process, limit, (most if hard < 0 else min(most, hard), hard))


def _cpu_seconds_of(process: int) -> float:
    """Return the CPU time that a process has used; 0 where it has ended, or the system cannot say.

    The clock is the one that clock_getcpuclockid(3) makes.
    """
    try:
        return time.clock_gettime((~process << 3) | 2)
    except OSError:
        return 0.0


def _memory_of(process: int) -> int:
    """Return the bytes of data of a process, as RLIMIT_DATA counts them; 0 if nothing does."""
    try:
        pages = Path(f"/proc/{process}/statm").read_text().split()[5]
    except OSError:
        return 0
    return int(pages) * os.sysconf("SC_PAGE_SIZE")
