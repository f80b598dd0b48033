"""Each span's own time, and which spans are slow."""

from hypothesis import given
from hypothesis import strategies as st
from perfpress.analysis.metrics.traces import depths, length, own_seconds, slow_spans
from perfpress.input.logs.readings import Span, Trace


def span(seconds: float, start: float = 0.0, parent: int | None = None) -> Span:
    return Span(name="s", start=start, seconds=seconds, parent=parent)


NESTED = (span(10), span(4, parent=0), span(3.5, parent=1), span(2, start=10))


def test_own_time_is_without_that_of_the_parts() -> None:
    assert own_seconds(NESTED) == (6, 0.5, 3.5, 2)
    assert depths(NESTED) == (0, 1, 2, 0)
    assert length(Trace(name="t", spans=NESTED)) == 12


def test_parts_that_are_longer_than_the_whole_leave_it_no_time() -> None:
    assert own_seconds((span(1), span(5, parent=0))) == (0, 5)


def test_slow_is_a_tenth_of_the_trace_in_its_own_time() -> None:
    assert slow_spans(Trace(name="t", spans=NESTED)) == {0, 2, 3}
    assert slow_spans(Trace(name="t", spans=(span(0), span(0)))) == frozenset()
    assert slow_spans(Trace(name="t", spans=())) == frozenset()


def test_the_two_spans_that_an_author_found_slow_are_marked() -> None:
    # Microseconds of a published trace of an INSERT, in which its author marked these two.
    microseconds = (92.947, 3.653, 3.129, 2.088, 4573.606, 9.721, 0.417, 7.501, 2847.048, 0.660)
    spans: list[Span] = []
    for each in microseconds:
        spans.append(span(each, start=sum(one.seconds for one in spans)))
    assert slow_spans(Trace(name="INSERT", spans=tuple(spans))) == {4, 8}


@given(st.lists(st.floats(0, 1e6), min_size=1, max_size=20))
def test_own_times_of_a_sequence_are_its_times(times: list[float]) -> None:
    spans = [span(seconds) for seconds in times]
    assert own_seconds(spans) == tuple(times)
