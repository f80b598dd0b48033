"""Writes the comment on a pull request from what `perfpress compare --json` printed for it.

python -m perfpress.host.accepting.compared_comment COMPARISON.zip

The file may be anybody's: it is read up to a limit, and what it says is shown as code, which GitHub
reads no markup and no `@name` in. Numbers are numbers.
"""

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec

from perfpress.base.console import print_problems
from perfpress.base.display import fixed, plural
from perfpress.base.problems import BadInput
from perfpress.host.accepting.changed_verdicts import (
    LONGEST_HEADLINE,
    NONE,
    read_record,
    shown_as_code,
)

RECORD = "comparison.json"
MOST_ROWS = 50

COUNTED = "an exact count"
"""The evidence of what is not timed."""


class Rate(msgspec.Struct, frozen=True):
    """What is read of a verdict; see `perfpress.site.downloads.comparison_record`."""

    verdict: str
    why: str = ""
    ratio: float | None = None
    interval: tuple[float, float] | None = None
    evidence: str | None = None


class Numbers(msgspec.Struct, frozen=True):
    """What is read of a metric."""

    metric: str
    verdict: Rate | None = None


class ComparedStep(msgspec.Struct, frozen=True):
    """What is read of a step."""

    step: str
    rate: Rate | None = None
    numbers: tuple[Numbers, ...] = ()


class Side(msgspec.Struct, frozen=True):
    """What is read of a side."""

    runs: int


class Comparison(msgspec.Struct, frozen=True):
    """What is read of a comparison."""

    headline: str
    base: Side
    after: Side
    steps: tuple[ComparedStep, ...] = ()


def read_comparison(path: Path) -> Comparison:
    """Return what a zip archive, as GitHub keeps it, says.

    Raises:
        BadInput: it holds something else, or too much.
    """
    return read_record(path, RECORD, Comparison, "comparison")


def comment(comparison: Comparison) -> str:
    """Return the answer, and a row a step."""
    return "\n".join(_lines(comparison)) + "\n"


def _lines(comparison: Comparison) -> Iterator[str]:
    yield "### Benchmark"
    yield ""
    yield shown_as_code(comparison.headline, LONGEST_HEADLINE)
    yield ""
    yield "| step | verdict | ÷ base | 95 % interval | rests on |"
    yield "|---|---|---:|---:|---|"
    judged = [row for step in comparison.steps for row in _judged(step)]
    for row in judged[:MOST_ROWS]:
        yield _row(*row)
    yield ""
    if len(judged) > MOST_ROWS:
        yield f"And {plural(len(judged) - MOST_ROWS, 'verdict')} more."
        yield ""
    runs = (comparison.base.runs, comparison.after.runs)
    yield f"{runs[0]} and {runs[1]} runs, in turns on one machine."


def _judged(step: ComparedStep) -> Iterator[tuple[str, Rate]]:
    """Yield the verdict on the rate, and those on what was counted, each with its name."""
    if step.rate:
        yield step.step, step.rate
    for each in step.numbers:
        if each.verdict and each.verdict.evidence == COUNTED:
            yield f"{step.step}, {each.metric.replace('_', ' ')}", each.verdict


def _row(name: str, rate: Rate) -> str:
    interval = NONE
    if rate.interval:
        interval = f"{fixed(rate.interval[0], 3)} to {fixed(rate.interval[1], 3)}"
    cells = (
        shown_as_code(name),
        shown_as_code(rate.verdict),
        NONE if rate.ratio is None else f"×{fixed(rate.ratio, 3)}",
        interval,
        shown_as_code(rate.why) if rate.why else NONE,
    )
    return f"| {' | '.join(cells)} |"


def main(words: Sequence[str]) -> int:
    """Print the comment; the exit status is 1 for bad input."""
    try:
        text = comment(read_comparison(Path(words[0])))
    except BadInput as failure:
        print_problems(failure.problems)
        return 1
    sys.stdout.write(text)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
