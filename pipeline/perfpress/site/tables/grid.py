"""Grids: tables whose cells are tinted by the size of their change."""

from collections.abc import Sequence
from itertools import pairwise
from math import log

from msgspec.structs import replace

from perfpress.analysis.verdicts.verdicts import Verdict
from perfpress.base.display import fixed
from perfpress.site.shapes.blocks import Cell, Row, Table, Tint

RATIO_DECIMALS = 2
"""In a grid: digits enough to read a picture by; pages of steps and downloads have more."""

BOUNDS = (0.95, 0.9, 0.8, 0.6)
"""Ratios at which a worse tint becomes stronger; a better one does at their reciprocals."""

LINE_HEIGHT = 40
FLATTEST = log(1.25)
STEEPEST = log(4)
"""What half the height of a line means: the largest ratio of its table, within these."""

GRID_NOTE = (
    "Colour is the size of a change that was seen. Bold: confirmed by several runs or releases. "
    "Regular: one run. No colour: no change seen, noisy, or no verdict."
)


WORST_FIRST = tuple(f"worse-{at}" for at in range(len(BOUNDS) + 1, 0, -1)) + tuple(
    f"better-{at}" for at in range(1, len(BOUNDS) + 2)
)
"""The names of all tints."""


def tint_of(verdict: Verdict | None) -> str:
    """Return the name of the tint of a ratio; empty where its verdict has no direction."""
    if verdict is None or verdict.comparison is None or not verdict.state.is_change:
        return ""
    return tint_by_size(verdict.comparison.ratio, is_worse=verdict.state.is_slower)


def tint_by_size(ratio: float, *, is_worse: bool) -> str:
    """Return the name of the tint of a change.

    Args:
        ratio: to the base, either way up; 0 where one of both has nothing.
        is_worse: whether it is one for the worse.
    """
    size = min(ratio, 1 / ratio) if ratio else 0.0
    strength = 1 + sum(size < bound for bound in BOUNDS)
    return f"{'worse' if is_worse else 'better'}-{strength}"


def tints_of_rates() -> tuple[Tint, ...]:
    """Return the legend of rates, from the worst to the best."""
    return _legend("slower", _ranges(), "faster")


def tints_of_costs() -> tuple[Tint, ...]:
    """Return the legend of costs and shares, from the worst to the best."""
    return _legend("more", _ranges()[::-1], "less")


def _legend(worst: str, ranges: Sequence[str], best: str) -> tuple[Tint, ...]:
    tints = (Tint(name=name, text=text) for name, text in zip(WORST_FIRST, ranges, strict=True))
    return (Tint(name="", text=worst), *tints, Tint(name="", text=best))


def _ranges() -> list[str]:
    """Return the ratios of each tint, from the least to the largest."""
    limits = [*reversed(BOUNDS), 1.0, *(1 / bound for bound in BOUNDS)]
    texts = [fixed(limit, RATIO_DECIMALS) for limit in limits]
    between = map("\N{EN DASH}".join, pairwise(texts))
    return [f"below {texts[0]}", *between, f"above {texts[-1]}"]


def as_grid(table: Table) -> Table:
    """Return a table of relative rates with a legend of its tints, and lines of one scale."""
    ratios = [cell.sort for row in table.rows for cell in row.cells if cell.sort]
    half = min(max([FLATTEST, *(abs(log(ratio)) for ratio in ratios)]), STEEPEST)
    return replace(
        table,
        tints=tints_of_rates(),
        line_box=f"0 0 {max(len(table.columns) - 1, 1)} {LINE_HEIGHT}",
        rows=tuple(replace(row, line=_line(row.cells, half)) for row in table.rows),
    )


def _line(cells: Sequence[Cell], half: float) -> str:
    """Return the points of a row's line: a column each, ratio 1 in the middle, logarithmic."""
    points = [
        f"{at},{_height(log(cell.sort) / half)}" for at, cell in enumerate(cells) if cell.sort
    ]
    return " ".join(points) if len(points) > 1 else ""


def _height(part: float) -> int:
    return round(LINE_HEIGHT / 2 * (1 - min(max(part, -1.0), 1.0)))


def by_first_change(rows: Sequence[Row], first: Sequence[int]) -> tuple[Row, ...]:
    """Return rows in the order of the columns that they first changed in.

    Args:
        rows: in the order of the report.
        first: the number of each row's column; those that never changed have a larger one.
    """
    return tuple(row for _, row in sorted(zip(first, rows, strict=True), key=lambda each: each[0]))
