"""Has each run judged by its own process, within a budget; believes what fits of its answer."""

import os
import re
import signal
import subprocess
import sys
import tempfile
import time
from contextlib import suppress
from pathlib import Path
from typing import Self

import msgspec

from perfpress.base.checkout import PACKAGE
from perfpress.base.problems import REPORT_IT, Problem
from perfpress.base.slugs import slug
from perfpress.base.toml.words import shown_value
from perfpress.host.accepting import judges
from perfpress.host.accepting.arrivals import Arrival
from perfpress.host.accepting.judges import LARGEST_ANSWER, Asked, Ended
from perfpress.host.accepting.judging import CheckOutcome, Question
from perfpress.host.pushing.git import OverBudget

CPU_SECONDS = 15
"""For any run, and more in proportion to what is stored."""
CPU_SECONDS_PER_MB = 3
WALL_PER_CPU = 4
"""Several are judged at once, on machines with other work."""
MEMORY = 2_000_000_000
SHOWN_HOSTS = 3
LONGEST_TEXT = 2000
"""Characters of one part of a problem."""
ADDRESS = re.compile(r"  /reports/[a-z0-9._-]+/[a-z0-9._-]+/([a-z0-9._-]+/)?")


class Judges:
    """Processes that judge runs, as many as runs are judged at once."""

    def __init__(self) -> None:
        self.idle: list[_Starter] = []

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        for each in self.idle:
            each.end()

    def judge(
        self, arrival: Arrival, directory: Path, results: Path, longest: float
    ) -> CheckOutcome:
        """Return the judgement of a run that was copied into a directory.

        Args:
            arrival: where it was.
            directory: its files.
            results: the accepted bundles, whose names it must spell as they do.
            longest: seconds that are left for it.

        Raises:
            OverBudget: they were not enough.
        """
        stored = sum(path.lstat().st_size for path in directory.rglob("*"))
        seconds = CPU_SECONDS + CPU_SECONDS_PER_MB * stored // 1_000_000
        question = Question(
            directory=str(directory),
            place=arrival.place,
            shown_as=arrival.shown_as,
            results=str(results),
            cpu_seconds=seconds,
            memory_bytes=MEMORY,
            answer_bytes=LARGEST_ANSWER,
        )
        allowed = seconds * WALL_PER_CPU
        ended = self._ended(Asked(min(allowed, longest), msgspec.json.encode(question)))
        if ended.status is None and longest < allowed:
            raise OverBudget("error: checking it took too long")
        if ended.status != 0:
            return _refused(arrival, *_why_ended(ended.status, seconds))
        try:
            answered = msgspec.json.decode(ended.printed, type=CheckOutcome)
        except (msgspec.DecodeError, UnicodeDecodeError):
            return _refused(arrival, "its check gave no answer", REPORT_IT)
        if problem := _unbelievable(arrival, answered):
            return _refused(arrival, f"its check answered {problem}", REPORT_IT)
        if answered.names is not None and answered.host not in arrival.hosts:
            found = f"a run of the host {shown_value(answered.host)}"
            expected = f"one of {shown_hosts(arrival)}, which pushed it"
            return _refused(arrival, found, "push it from its own host", expected)
        return answered

    def _ended(self, asked: Asked) -> Ended:
        """Have a process judge, and once more a new one where that ended without a word.

        The machine ends one for reasons of its own, as where it has no memory for a child.
        """
        until = time.monotonic() + asked.seconds
        try:
            starter = self.idle.pop()
        except IndexError:
            starter = _Starter()
        ended = self._answer(starter, asked)
        if ended is None:
            left = Asked(until - time.monotonic(), asked.question)
            ended = self._answer(_Starter(), left)
        return ended or Ended(0, b"")

    def _answer(self, starter: "_Starter", asked: Asked) -> Ended | None:
        """Return how the child of a process ended; `None` where the process itself did."""
        try:
            ended = starter.ask(asked)
        except (OSError, msgspec.DecodeError):
            starter.end()
            return None
        self.idle.append(starter)
        return ended


class _Starter:
    """A process of `judges`."""

    def __init__(self) -> None:
        self.home = tempfile.TemporaryDirectory(prefix="perfpress-judge-")
        # The same program as this one, in a directory that holds nothing else to import.
        self.process = subprocess.Popen(
            [sys.executable, "-s", "-P", "-m", judges.__name__],
            cwd=self.home.name,
            env={
                "HOME": self.home.name,
                "TMPDIR": self.home.name,
                "PATH": os.defpath,
                "LC_ALL": "C.UTF-8",
                "PYTHONPATH": str(PACKAGE.parent),
                "PYTHONDONTWRITEBYTECODE": "1",
            },
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )

    def ask(self, asked: Asked) -> Ended:
        assert self.process.stdin
        assert self.process.stdout
        self.process.stdin.write(msgspec.json.encode(asked) + b"\n")
        self.process.stdin.flush()
        return msgspec.json.decode(self.process.stdout.readline(), type=Ended)

    def end(self) -> None:
        with suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.communicate()
        self.home.cleanup()


def shown_hosts(arrival: Arrival) -> str:
    """Return whose place an arrival was left at, for messages."""
    shown, more = sorted(arrival.hosts)[:SHOWN_HOSTS], len(arrival.hosts) - SHOWN_HOSTS
    return ", ".join(shown) + (f" and {more} more" if more > 0 else "")


def _why_ended(status: int | None, seconds: int) -> tuple[str, str]:
    """Return how a process ended that gave no answer, and what to do about it."""
    if status is None or -status in (signal.SIGXCPU, signal.SIGKILL):
        found = f"checking it took more than {seconds} s of CPU time"
        return (
            found,
            "split the run, or leave out the file that takes so long; see: perfpress check",
        )
    if status < 0:
        return f"checking it ended by signal {-status}", REPORT_IT
    return "checking it failed, or took more than 2 GB of memory", "see: perfpress check DIR"


def _unbelievable(arrival: Arrival, answered: CheckOutcome) -> str:
    """Say what in an answer no honest judge would write; an empty text where it may be used."""
    if answered.names is not None:
        report, release, _ = answered.names
        if (slug(report), slug(release)) != arrival.place[:2]:
            return "with names of another place"
        if any(problem.severity == "error" for problem in answered.problems):
            return "that it is good and is not"
    elif not any(problem.severity == "error" for problem in answered.problems):
        return "that it is refused and not why"
    if not all(ADDRESS.fullmatch(line) for line in answered.addresses):
        return "with pages that no site has"
    for problem in answered.problems:
        if not problem.path.startswith(arrival.shown_as):
            return "with a problem of something else"
        if max(map(len, (problem.found, problem.expected, problem.do))) > LONGEST_TEXT:
            return "with a text without end"
    return ""


def _refused(arrival: Arrival, found: str, do: str, expected: str = "") -> CheckOutcome:
    problem = Problem(path=arrival.shown_as, found=found, expected=expected, do=do)
    return CheckOutcome(None, "", [], [problem])
