"""Writes the comment on a pull request from what `perfpress compare --json` printed for it.

python -m perfpress.host.accepting.compared_comment COMPARISON.zip

The file may be anybody's: it is read up to a limit, and what it says is shown as code, which GitHub
reads no markup and no `@name` in. Numbers are numbers.
"""

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from perfpress.base.console import print_problems
from perfpress.base.display import fixed, plural
from perfpress.base.problems import BadInput
from perfpress.host.accepting.changed_verdicts import (
    LONGEST_HEADLINE,
    NONE,
    read_record,
    shown_as_code,
)
from perfpress.host.comparing.printed_comparison import (
    COUNTED,
    FILE,
    PrintedComparison,
    PrintedStep,
    PrintedVerdict,
)

MOST_ROWS = 50


def read_comparison(path: Path) -> PrintedComparison:
    """Return what a zip archive, as GitHub keeps it, says.

    Raises:
        BadInput: it holds something else, or too much.
    """
    return read_record(path, FILE, PrintedComparison, "comparison")


def comment(comparison: PrintedComparison) -> str:
    """Return the answer, and a row a step."""
    return "\n".join(_lines(comparison)) + "\n"


def _lines(comparison: PrintedComparison) -> Iterator[str]:
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


def _judged(step: PrintedStep) -> Iterator[tuple[str, PrintedVerdict]]:
    """Yield the verdict on the rate, and those on what was counted, each with its name."""
    if step.rate:
        yield step.step, step.rate
    for each in step.numbers:
        if each.verdict and each.verdict.evidence == COUNTED:
            yield f"{step.step}, {each.metric.replace('_', ' ')}", each.verdict


def _row(name: str, verdict: PrintedVerdict) -> str:
    interval = NONE
    if verdict.interval:
        interval = f"{fixed(verdict.interval[0], 3)} to {fixed(verdict.interval[1], 3)}"
    cells = (
        shown_as_code(name),
        shown_as_code(verdict.verdict),
        NONE if verdict.ratio is None else f"×{fixed(verdict.ratio, 3)}",
        interval,
        shown_as_code(verdict.why) if verdict.why else NONE,
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
