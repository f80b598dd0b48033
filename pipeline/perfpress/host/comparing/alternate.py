"""Runs a benchmark in two checkouts in turns, until what differs is decided or the time is over.

python -m perfpress.host.comparing.alternate BASE HEAD --command COMMAND --out DIR

Turns, because a machine of somebody else is faster at one time than at another. Whoever looks after
each round stops at the first chance result. So there are few looks, each at twice the runs of the
one before, and all but the last ask for more than the usual significance.
"""

import argparse
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import msgspec

from perfpress.base.console import print_lines, print_problems
from perfpress.base.problems import BadInput, bad_input

FIRST_LOOK = 5
"""Runs a side: with fewer there is no test."""

CERTAIN = 0.01
"""The p at which a change is decided before the last look."""

DECIDED = ("no change seen", "failed", "missing")
"""Verdicts that more runs would not turn, whatever their p."""
CHANGES = ("slower", "faster")

RECORD = "comparison.json"
SIDES = ("base", "head")
STEP = "benchmark"
LAST_LINES = 20


class Judged(msgspec.Struct, frozen=True):
    """What is read of a verdict; see `perfpress.site.downloads.comparison_record`."""

    verdict: str
    p: float | None = None


class JudgedStep(msgspec.Struct, frozen=True):
    """What is read of a step."""

    step: str
    rate: Judged | None = None


class Record(msgspec.Struct, frozen=True):
    """What is read of `perfpress compare --json`."""

    headline: str
    steps: tuple[JudgedStep, ...] = ()


class Job(NamedTuple):
    """What is measured, and for how long."""

    checkouts: tuple[Path, Path]
    build: str
    command: str
    out: Path
    seconds: float
    most: int


def is_decided(record: Record) -> bool:
    """Return whether more runs would hardly change the verdict of any step."""
    judged = [step.rate for step in record.steps if step.rate]
    return bool(judged) and all(
        each.verdict in DECIDED
        or (each.verdict in CHANGES and each.p is not None and each.p <= CERTAIN)
        for each in judged
    )


def alternate(job: Job) -> Record:
    """Build both, measure them in turns, and return what differs.

    Raises:
        BadInput: a build or the benchmark fails.
    """
    job.out.mkdir(parents=True, exist_ok=True)
    if job.build:
        for side, checkout in zip(SIDES, job.checkouts, strict=True):
            _run(["sh", "-c", job.build], checkout, f"the build of {side}")
    began = time.monotonic()
    look = FIRST_LOOK
    longest = 0.0
    for number in range(1, job.most + 1):
        round_began = time.monotonic()
        sides = list(zip(SIDES, job.checkouts, strict=True))
        for side, checkout in sides if number % 2 else reversed(sides):
            _measure(job, side, checkout, number)
        longest = max(longest, time.monotonic() - round_began)
        print_lines([f"round {number}: {time.monotonic() - began:.0f} s"])
        if number == look:
            if is_decided(_compared(job)):
                break
            look *= 2
        if time.monotonic() - began + longest > job.seconds:
            break
    return _compared(job)


def _measure(job: Job, side: str, checkout: Path, number: int) -> None:
    """Run the benchmark once; what prints no rate is timed."""
    out = job.out.resolve() / side / str(number)
    words = ["--report", "comparison", "--release", side, "--host", "ci", "--step", STEP]
    command = ["--out", str(out), "--", "sh", "-c", job.command]
    _run([*_perfpress("capture"), *words, *command], checkout, f"run {number} of {side}")


def _compared(job: Job) -> Record:
    sides = [str(job.out / side) for side in SIDES]
    record = job.out / RECORD
    text = _run([*_perfpress("compare"), "--json", *sides], Path(), "the comparison")
    record.write_text(text, encoding="utf-8")
    return msgspec.json.decode(text, type=Record)


def _perfpress(verb: str) -> list[str]:
    return [sys.executable, "-m", "perfpress", verb]


def _run(command: Sequence[str], directory: Path, what: str) -> str:
    """Run a program; return what it printed.

    Raises:
        BadInput: it fails; with its last lines.
    """
    done = subprocess.run(
        command, cwd=directory, capture_output=True, text=True, errors="replace", check=False
    )
    if done.returncode:
        print_lines((done.stdout + done.stderr).splitlines()[-LAST_LINES:])
        found = f"{what} ended with status {done.returncode}"
        raise bad_input(path=str(directory), found=found, do="see its last lines above")
    return done.stdout


def main(words: Sequence[str]) -> int:
    """Measure; the exit status is 1 where that fails."""
    parser = argparse.ArgumentParser(prog="alternate", allow_abbrev=False)
    parser.add_argument("base", type=Path, help="a checkout")
    parser.add_argument("head", type=Path, help="the other")
    parser.add_argument("--command", required=True, help="the benchmark, run in either by sh")
    parser.add_argument("--build", default="", help="run once in either")
    parser.add_argument("--out", type=Path, required=True, help="for the runs and the result")
    parser.add_argument("--minutes", type=float, default=20.0, help="for all rounds")
    parser.add_argument("--most", type=int, default=40, help="rounds")
    given = parser.parse_args(words)
    job = Job(
        (given.base, given.head), given.build, given.command, given.out, 60 * given.minutes,
        given.most,
    )  # fmt: skip
    try:
        print_lines([alternate(job).headline])
    except BadInput as failure:
        print_problems(failure.problems)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
