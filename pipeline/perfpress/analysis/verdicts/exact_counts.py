"""Verdicts on what is counted and not timed: instructions, allocations, bytes.

The same code gives the same count, so that one run on each side is enough. Counts whose own runs
differ are judged as any other metric.
"""

from perfpress.analysis.metrics.throughput import Summary

SAME = 0.001
"""Differences up to this part are none: addresses and the seeds of hash tables move a count of
instructions by less."""

WHOLE = 1.0
"""Less than one instruction, allocation or byte of an operation is what something else did."""


def is_counted_alike(after: Summary, before: Summary) -> bool:
    """Return whether all runs of each side counted the same, so that the number is an exact one."""
    return all(_is_same(side.low, side.high) for side in (after, before))


def is_same_count(after: Summary, before: Summary) -> bool:
    """Return whether two releases have the same count."""
    return _is_same(before.median, after.median)


def _is_same(one: float, other: float) -> bool:
    return abs(other - one) < WHOLE or abs(other - one) <= SAME * abs(one)
