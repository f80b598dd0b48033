"""Self time of the spans of a traced operation, and which spans are slow."""

from collections.abc import Sequence

from perfpress.input.logs.readings import Span, Trace

SLOW = 0.1
"""A span is slow whose own time is at least this part of the trace."""


def length(trace: Trace) -> float:
    """Return the seconds from the start of the trace to the end of its last span."""
    return max((span.start + span.seconds for span in trace.spans), default=0.0)


def own_seconds(spans: Sequence[Span]) -> tuple[float, ...]:
    """Return the time of each span without that of the spans that are parts of it.

    Zero where the parts together are longer: they overlapped, or were rounded.
    """
    own = [span.seconds for span in spans]
    for span in spans:
        if span.parent is not None:
            own[span.parent] -= span.seconds
    return tuple(max(0.0, seconds) for seconds in own)


def depths(spans: Sequence[Span]) -> tuple[int, ...]:
    """Return in how many other spans each one is."""
    found: list[int] = []
    for span in spans:
        found.append(0 if span.parent is None else found[span.parent] + 1)
    return tuple(found)


def slow_spans(trace: Trace) -> frozenset[int]:
    """Return the positions of the spans that are slow."""
    least = SLOW * length(trace)
    return frozenset(
        index
        for index, seconds in enumerate(own_seconds(trace.spans))
        if seconds > 0 and seconds >= least
    )
