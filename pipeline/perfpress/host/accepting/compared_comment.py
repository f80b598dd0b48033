"""Writes the comment on a pull request from what `perfpress compare --json` printed for it.

python -m perfpress.host.accepting.compared_comment COMPARISON.zip

The file may be anybody's: it is read up to a limit, and what it says is shown as code, which GitHub
reads no markup and no `@name` in. Numbers are numbers.
"""

import sys
from collections.abc import Iterator, Sequence
from itertools import accumulate
from math import log
from pathlib import Path
from statistics import median
from typing import NamedTuple

from perfpress.base.console import print_problems
from perfpress.base.display import decimals_for, fixed, plural
from perfpress.base.problems import BadInput
from perfpress.base.units import shown_time
from perfpress.host.accepting.changed_verdicts import (
    LONGEST_HEADLINE,
    LONGEST_TABLE,
    NONE,
    read_record,
    shown_as_code,
)
from perfpress.host.comparing.alternate import CHANGES
from perfpress.host.comparing.printed_comparison import (
    COUNTED,
    FILE,
    TIME,
    PrintedComparison,
    PrintedMetric,
    PrintedStep,
    PrintedVerdict,
)


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
    yield "| Step | Base | Head | | Ratio | 95 % interval | Verdict |"
    yield "|---|---:|---:|---|---:|---:|---|"
    judged = sorted((row for step in comparison.steps for row in _judged(step)), key=_largest_first)
    rows = list(map(_row, judged))
    lengths = accumulate(len(row) + 1 for row in rows)
    shown = sum(length <= LONGEST_TABLE for length in lengths)
    yield from rows[:shown]
    yield ""
    if len(rows) > shown:
        yield f"And {plural(len(rows) - shown, 'verdict')} more."
        yield ""
    runs = (comparison.base.runs, comparison.after.runs)
    yield f"{runs[0]} and {runs[1]} runs, in turns on one machine."


class _Judged(NamedTuple):
    """A row: a number and the verdict on it."""

    name: str
    verdict: PrintedVerdict
    metric: PrintedMetric | None
    """None where one side has no number."""

    @property
    def is_inverse(self) -> bool:
        """Whether the verdict is on a rate, and the number is a time."""
        return self.metric is not None and self.metric.metric == TIME

    def of_number(self, ratio: float | None) -> float | None:
        """Return a ratio of the rate as one of the number that is shown."""
        if ratio is None or not self.is_inverse:
            return ratio
        return 1 / ratio if ratio > 0 else None


def _judged(step: PrintedStep) -> Iterator[_Judged]:
    """Yield the verdict on the rate, and those on what was counted."""
    if step.rate:
        stated = next((each for each in step.numbers if each.metric == step.stated_as), None)
        yield _Judged(step.step, step.rate, stated)
    for each in step.numbers:
        if each.verdict and each.verdict.evidence == COUNTED:
            name = f"{step.step}, {each.metric.replace('_', ' ')}"
            yield _Judged(name, each.verdict, each)


def _largest_first(row: _Judged) -> tuple[bool, float]:
    ratio = row.verdict.ratio
    return row.verdict.verdict not in CHANGES, -abs(log(ratio)) if ratio and ratio > 0 else 0.0


def _row(row: _Judged) -> str:
    ends = row.verdict.interval or (None, None)
    interval = sorted(each for end in ends if (each := row.of_number(end)) is not None)
    ratio = row.of_number(row.verdict.ratio)
    cells = (
        shown_as_code(row.name),
        *_values(row.metric),
        NONE if ratio is None else f"×{fixed(ratio, 3)}",
        " to ".join(fixed(end, 3) for end in interval) if len(interval) == 2 else NONE,
        shown_as_code(row.verdict.verdict),
    )
    return f"| {' | '.join(cells)} |"


def _values(metric: PrintedMetric | None) -> tuple[str, str, str]:
    """Return the medians of both sides and their unit."""
    if metric is None or not metric.base or not metric.after:
        return NONE, NONE, ""
    values = [median(metric.base), median(metric.after)]
    unit = metric.unit
    if unit == "ns":
        factor, unit = shown_time(max(values))
        values = [factor * value for value in values]
    decimals = 0 if all(map(float.is_integer, values)) else decimals_for(values)
    return fixed(values[0], decimals), fixed(values[1], decimals), shown_as_code(unit)


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
