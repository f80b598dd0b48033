"""Runs a benchmark in two checkouts in turns, until what differs is decided or the time is over.

python -m perfpress.host.comparing.alternate BASE HEAD --command COMMAND --out DIR

Turns, because a machine of somebody else is faster at one time than at another. Whoever looks after
each round stops at the first chance result. So there are few looks, each at twice the runs of the
one before, and all but the last ask for more than the usual significance.
"""

import argparse
import itertools
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

import msgspec

from perfpress.base.console import WARNING, print_lines, print_problems
from perfpress.base.problems import BadInput, Problem
from perfpress.host.comparing.printed_comparison import (
    COUNTED,
    FILE,
    PrintedComparison,
    PrintedVerdict,
)
from perfpress.input.bundles.schema import FILE_NAME

LOOK_AT_COUNTS = 2
"""Runs a side: the second shows whether a count is the same each time."""

FIRST_LOOK = 5
"""Runs a side: with fewer there is no test."""

CERTAIN = 0.01
"""The p at which a change is decided before the last look."""

DECIDED = ("no change seen", "failed", "missing")
"""Verdicts that more runs would not turn, whatever their p."""
CHANGES = ("slower", "faster")

SIDES = ("base", "head")
STEP = "benchmark"
LAST_LINES = 20


class Job(NamedTuple):
    """What is measured, and for how long."""

    checkouts: tuple[Path, Path]
    releases: tuple[str, str]
    """What the two are called, also below `out`."""
    command: str
    capturing: tuple[str, ...]
    """Further arguments of `perfpress capture`."""
    out: Path
    seconds: float
    most: int


def is_decided(record: PrintedComparison, rounds: int) -> bool:
    """Return whether more runs would hardly change the verdict of any step."""
    judged = _judged(record)
    return bool(judged) and all(
        each.evidence == COUNTED
        or (
            rounds >= FIRST_LOOK
            and (
                each.verdict in DECIDED
                or each.p is None  # only one side has this benchmark
                or (each.verdict in CHANGES and each.p <= CERTAIN)
            )
        )
        for each in judged
    )


def _judged(record: PrintedComparison) -> list[PrintedVerdict]:
    """Return the verdict on each step's rate; of steps without, on what was counted."""
    return [
        verdict
        for step in record.steps
        for verdict in ([step.rate] if step.rate else [each.verdict for each in step.numbers])
        if verdict
    ]


def alternate(
    job: Job,
    prepare: Callable[[], None],
    is_decided: Callable[[PrintedComparison, int], bool],
    show: Callable[[str], None],
) -> PrintedComparison:
    """Measure both in turns, and return what differs.

    Args:
        job: what is measured. Rounds that are there from an earlier try count.
        prepare: is called before anything is measured.
        is_decided: whether a comparison of so many rounds is enough.
        show: tells of each round.

    Raises:
        BadInput: the benchmark fails.
    """
    job.out.mkdir(parents=True, exist_ok=True)
    done = _rounds(job)
    if done and is_decided(found := _compared(job), done):
        return found
    if done < job.most:
        prepare()
    began = time.monotonic()
    longest = 0.0
    shown: set[str] = set()
    for number in range(done + 1, job.most + 1):
        round_began = time.monotonic()
        sides = list(zip(job.releases, job.checkouts, strict=True))
        for side, checkout in sides if number % 2 else reversed(sides):
            for warning in sorted(_measure(job, side, checkout, number) - shown):
                shown.add(warning)
                show(warning)
        longest = max(longest, time.monotonic() - round_began)
        show(f"round {number} of {job.most} at most: {time.monotonic() - began:.0f} s")
        if _is_look(number):
            if is_decided(found := _compared(job), number):
                show(f"decided after {number} runs a side")
                return found
            show(f"not decided: {found.headline}")
        if time.monotonic() - began + longest > job.seconds:
            show(f"no time for another round of {longest:.0f} s")
            break
    return _compared(job)


def _is_look(rounds: int) -> bool:
    """Return whether a comparison is looked at after so many rounds: 2, 5, 10, 20, 40, 80."""
    times, rest = divmod(rounds, FIRST_LOOK)
    return rounds == LOOK_AT_COUNTS or (rest == 0 and times & (times - 1) == 0)


def build(command: str, checkout: Path, name: str) -> None:
    """Build a checkout.

    Both are built before either is measured. So what pip installs outside of them would be that of
    the last one, in both; it refuses to.

    Raises:
        BadInput: it does not build.
    """
    if command:
        within = ["env", "PIP_REQUIRE_VIRTUALENV=1", "sh", "-c", command]
        run(within, checkout, f"the build of {name}")


def _rounds(job: Job) -> int:
    """Return how many rounds were measured earlier; what an interrupted one left is removed."""
    for number in itertools.count(1):
        runs = [job.out / side / str(number) for side in job.releases]
        if not all((each / FILE_NAME).is_file() for each in runs):
            for each in runs:
                shutil.rmtree(each, ignore_errors=True)
            return number - 1
    raise AssertionError


def _measure(job: Job, side: str, checkout: Path, number: int) -> set[str]:
    """Run the benchmark once, and return warnings; what prints no rate is timed."""
    out = job.out.resolve() / side / str(number)
    words = ["--report", "comparison", "--release", side, "--host", "ci", "--step", STEP]
    command = ["--out", str(out), *job.capturing, "--", "sh", "-c", job.command]
    done = run([*_perfpress("capture"), *words, *command], checkout, f"run {number} of {side}")
    return {line for line in done.stderr.splitlines() if line.startswith(WARNING)}


def _compared(job: Job) -> PrintedComparison:
    sides = [str(job.out / side) for side in job.releases]
    record = job.out / FILE
    done = run([*_perfpress("compare"), "--json", *sides], Path(), "the comparison")
    record.write_text(done.stdout, encoding="utf-8")
    return msgspec.json.decode(done.stdout, type=PrintedComparison)


def _perfpress(verb: str) -> list[str]:
    return [sys.executable, "-m", "perfpress", verb]


def run(command: Sequence[str], directory: Path, what: str) -> subprocess.CompletedProcess[str]:
    """Run a program.

    Raises:
        BadInput: it fails; with its last lines.
    """
    done = subprocess.run(
        command, cwd=directory, capture_output=True, text=True, errors="replace", check=False
    )
    if done.returncode:
        raise BadInput(
            Problem(
                path=str(directory),
                found=f"{what} ended with status {done.returncode}",
                do="see its last lines below",
                excerpt="\n".join((done.stdout + done.stderr).splitlines()[-LAST_LINES:]),
            )
        )
    return done


def main(words: Sequence[str]) -> int:
    """Measure; the exit status is 1 where that fails."""
    parser = argparse.ArgumentParser(prog="alternate", allow_abbrev=False)
    parser.add_argument("base", type=Path, help="a checkout")
    parser.add_argument("head", type=Path, help="the other")
    parser.add_argument("--command", required=True, help="the benchmark, run in either by sh")
    parser.add_argument("--build", default="", help="run once in either")
    parser.add_argument("--log", default="", help="a file in either that the benchmark writes")
    parser.add_argument("--format", default="", help="[FILE=]FORMAT, where it is not recognised")
    parser.add_argument("--out", type=Path, required=True, help="for the runs and the result")
    parser.add_argument("--minutes", type=float, required=True, help="for all rounds")
    parser.add_argument("--most", type=int, default=40, help="rounds")
    given = parser.parse_args(words)
    capturing = [("--log", given.log), ("--format", given.format)]
    job = Job(
        checkouts=(given.base, given.head),
        releases=SIDES,
        command=given.command,
        capturing=tuple(word for pair in capturing if pair[1] for word in pair),
        out=given.out,
        seconds=60 * given.minutes,
        most=given.most,
    )

    def prepare() -> None:
        for side, checkout in zip(SIDES, job.checkouts, strict=True):
            build(given.build, checkout, side)

    try:
        alternate(job, prepare, is_decided, lambda text: print_lines([text]))
    except BadInput as failure:
        print_problems(failure.problems)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
