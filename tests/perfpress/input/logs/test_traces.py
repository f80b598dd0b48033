"""Traces: where the time of one statement went."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from log_samples import read_text, reading_of
from perfpress.input.logs.formats import explain_trace
from perfpress.input.logs.readings import Trace

# The forms of rows in the published description of a slow INSERT: no clock, no heading.
ROWS = """\
92.947µs    |   9 | node      | execute
4.573606ms  |  13 | node      | Transaction was not present
417ns       |  15 | node      | Got put buffer
"""


def only_trace(name: str) -> Trace:
    (trace,) = reading_of(name).traces
    return trace


def test_rows_without_a_clock_follow_one_another(tmp_path: Path) -> None:
    reading = read_text(tmp_path, ROWS)
    assert reading.format == "explain-trace"
    (trace,) = reading.traces
    assert [span.seconds for span in trace.spans] == [92.947e-6, 4.573606e-3, 417e-9]
    assert [span.start for span in trace.spans] == pytest.approx([0, 92.947e-6, 4.666553e-3])
    assert [(span.place, span.name) for span in trace.spans][1] == (
        "node",
        "Transaction was not present",
    )
    assert [span.line for span in trace.spans] == [1, 2, 3]
    assert "The time begins before the first event that is there" in trace.note


def test_rows_with_a_clock_are_where_it_says() -> None:
    # Written by hand, from the test of the statement in CockroachDB's source.
    trace = only_trace("explain-trace.txt")
    assert trace.name.startswith("EXPLAIN (TRACE) INSERT INTO stock")
    assert [span.start for span in trace.spans] == pytest.approx([0, 0, 88.041e-6])
    assert trace.spans[2].place == "node 1"


def test_each_statement_is_a_trace(tmp_path: Path) -> None:
    text = "".join(f"EXPLAIN (TRACE) SELECT {n};\n{ROWS}" for n in (1, 2))
    names = [trace.name for trace in read_text(tmp_path, text).traces]
    assert names == ["EXPLAIN (TRACE) SELECT 1;", "EXPLAIN (TRACE) SELECT 2;"]


def test_a_statement_without_events_is_reported(tmp_path: Path) -> None:
    reading = read_text(tmp_path, "EXPLAIN (TRACE) SELECT 1;\nERROR: syntax\n")
    assert reading.partial
    assert reading.problems[0].found == "no event"


@given(st.integers(0, 10**11))
def test_durations_survive_as_go_prints_them(nanoseconds: int) -> None:
    for unit, digits in (("ns", 0), ("µs", 3), ("ms", 6), ("s", 9)):
        whole, part = divmod(nanoseconds, 10**digits)
        text = f"{whole}.{part:0{digits}}{unit}" if digits else f"{whole}{unit}"
        (trace,) = explain_trace.parse([f"{text} | 1 | node | event"], "log").traces
        assert trace.spans[0].seconds == pytest.approx(nanoseconds / 1e9, rel=1e-12)


def test_postgres_plan_is_a_tree_of_times() -> None:
    trace = only_trace("postgres-explain-15-analyze.json")
    spans = trace.spans
    assert [span.name for span in spans] == [
        "Planning",
        "Execution",
        "Sort",
        "Aggregate",
        "Nested Loop",
        "Hash Join",
        "Seq Scan",
        "Hash",
        "Seq Scan",
        "Index Scan",
    ]
    assert [span.parent for span in spans] == [None, None, 1, 2, 3, 4, 5, 5, 7, 4]
    assert spans[0].seconds == pytest.approx(0.872e-3)
    assert spans[2].seconds == pytest.approx(4.864e-3)
    assert spans[2].start == spans[0].seconds
    assert spans[2].line == 4
    assert spans[9].place == "orders orders_customer_idx"


def test_postgres_node_that_ran_in_loops_has_the_time_of_all() -> None:
    scan = only_trace("postgres-explain-15-analyze.json").spans[9]
    assert scan.seconds == pytest.approx(0.010e-3 * 286)
    assert scan.message == "20 rows a loop, 20 expected, 286 loops"


def test_postgres_node_below_a_gather_has_the_mean_of_its_processes() -> None:
    trace = only_trace("postgres-explain-15-parallel.json")
    scan = trace.spans[-1]
    assert (scan.name, scan.message) == (
        "Seq Scan",
        "13,333 rows a loop, 16,667 expected, 3 loops",
    )
    assert scan.seconds == pytest.approx(2.005e-3)


def test_postgres_plan_in_the_table_of_psql_is_the_same() -> None:
    table, bare = (
        only_trace(f"postgres-explain-15-analyze{end}") for end in ("-psql.txt", ".json")
    )
    assert [span.name for span in table.spans] == [span.name for span in bare.spans]
    assert table.spans[2].line == 6


def test_postgres_plan_without_times_is_reported() -> None:
    reading = reading_of("postgres-explain-15-plan.json")
    assert (reading.format, reading.traces, reading.partial) == ("postgres-explain", (), True)
    assert "without the time of its nodes" in reading.problems[0].found
