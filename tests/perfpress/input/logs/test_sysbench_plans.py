"""The plans that a test script prints before its result.

The samples are real output of sysbench 1.0.20 with MariaDB 10.11 and PostgreSQL 15, of a script
that explains its queries; in `across`, two clients do so at the same time.
"""

from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st
from perfpress.input.logs.formats.sysbench.plans import MOST_PLANS, PlanNotes, without_values
from perfpress.input.logs.parser import Notes
from perfpress.input.logs.read import read_log
from perfpress.input.logs.readings import LogReading, Plan, PlanStep, RowEstimates

SAMPLES = Path(__file__).parent / "samples"


def sample(name: str) -> LogReading:
    return read_log(SAMPLES / f"sysbench-{name}.txt", name)


def plans_of(*lines: str) -> tuple[Plan, ...]:
    notes = PlanNotes(Notes("sysbench", "log"))
    for number, line in enumerate(lines, start=1):
        if line:
            notes.take(line, number)
        else:
            notes.end()
    return notes.plans()


def rows(count: int) -> RowEstimates:
    return RowEstimates(lowest=count, median=count, highest=count)


def test_the_rows_of_mariadb_are_operators_with_the_columns_names() -> None:
    by_id, by_k = sample("1.0-plans-mariadb").plans
    assert by_id.query == "SELECT c FROM sbtestN WHERE id BETWEEN ? AND ?"
    assert by_id.steps == (
        PlanStep(
            operator="1 SIMPLE sbtestN: type range, possible_keys PRIMARY, key PRIMARY, key_len 4, "
            "ref null, Extra Using where",
            rows=rows(100),
        ),
    )
    assert (by_id.count, by_id.first_line) == (2, 11)
    assert by_k.query == "SELECT k FROM sbtestN WHERE k IN (?, …)"
    assert "key k_N" in by_k.steps[0].operator


def test_the_lines_of_postgresql_are_operators_without_their_values() -> None:
    by_id, by_k = sample("1.0-plans-postgresql").plans
    assert by_id.steps == (
        PlanStep(operator="Index Scan using sbtestN_pkey on sbtestN", rows=rows(100)),
        PlanStep(operator="Index Cond: ((id >= ?) AND (id <= ?))"),
    )
    assert [step.operator for step in by_k.steps] == [
        "Bitmap Heap Scan on sbtestN",
        "Recheck Cond: (k = ANY (?::integer[]))",
        "->  Bitmap Index Scan on k_N",
        "Index Cond: (k = ANY (?::integer[]))",
    ]


def test_plans_printed_across_each_other_are_not_guessed() -> None:
    reading = sample("1.0-plans-across")
    assert reading.plans == ()
    (problem,) = reading.problems
    assert (problem.severity, problem.line) == ("warning", 11)
    assert "across each other" in problem.found
    assert not reading.partial


def test_a_row_of_another_table_than_the_querys_is_of_another_clients_plan() -> None:
    query = "table 1 : explain SELECT c FROM sbtest1"
    assert len(plans_of(query, "\t1\tSIMPLE\tsbtest1\tALL")) == 1
    assert len(plans_of(query, "\t1\tSIMPLE\t<derived2>\tALL")) == 1
    assert plans_of(query, "\t1\tSIMPLE\tsbtest2\tALL") == ()


def test_the_columns_of_mysql_are_distinguished_from_those_of_mariadb() -> None:
    (plan,) = plans_of(
        "table 3 : explain SELECT c FROM sbtest3 WHERE id=5",
        "\t1\tSIMPLE\tsbtest3\tnull\tconst\tPRIMARY\tPRIMARY\t4\tconst\t1\t100.00\tnull",
    )
    assert plan.steps[0].rows == rows(1)
    assert plan.steps[0].operator == (
        "1 SIMPLE sbtestN: partitions null, type const, possible_keys PRIMARY, key PRIMARY, "
        "key_len 4, ref const, Extra null"
    )


def test_a_row_that_stops_at_an_empty_column_keeps_what_it_has() -> None:
    (plan,) = sample("1.1-scan").plans
    assert plan.count == 2
    assert plan.steps == (
        PlanStep(operator="1 SIMPLE sbtestN: type ALL, possible_keys null, key null"),
    )
    (derived,) = plans_of("table 1 : explain SELECT 1", "\t3\tDERIVED\tnull")
    assert derived.steps == (PlanStep(operator="3 DERIVED null"),)


def test_estimates_are_the_median_and_the_range_over_all_tables_and_clients() -> None:
    lines = [
        line
        for count in (90, 130, 100)
        for line in (
            f"table 1 : explain SELECT c FROM sbtest1 WHERE k BETWEEN {count} AND 7",
            f"\t1\tSIMPLE\tsbtest1\trange\tk_1\tk_1\t4\tnull\t{count}",
            "",
        )
    ]
    (plan,) = plans_of(*lines)
    assert plan.count == 3
    assert plan.steps[0].rows == RowEstimates(lowest=90, median=100, highest=130)


def test_a_query_at_which_the_log_breaks_off_leaves_the_other_plans() -> None:
    whole = (
        "table 1 : explain SELECT 1 FROM sbtest1",
        "\t1\tSIMPLE\tsbtest1\tALL\tnull\tnull",
        "",
    )
    assert plans_of(*whole, "table 2 : explain SELECT 1 FROM sbtest2") == plans_of(*whole)


def test_plans_without_end_are_counted() -> None:
    notes = Notes("sysbench", "log")
    plans = PlanNotes(notes)
    for number in range(MOST_PLANS + 5):
        name = "".join(chr(ord("a") + int(digit)) for digit in str(number))
        plans.take(f"table 1 : explain SELECT {name}", 2 * number + 1)
        plans.take("\t1\tSIMPLE\tsbtest1\tALL", 2 * number + 2)
    assert len(plans.plans()) == MOST_PLANS
    (skipped,) = notes.reading().skipped
    assert (skipped.count, skipped.first_line) == (5, 2 * MOST_PLANS + 1)


@given(st.lists(st.integers(0, 10**6), min_size=2, max_size=9))
@settings(max_examples=50)
def test_a_query_is_the_same_whatever_values_it_asks_for(values: list[int]) -> None:
    query = f"SELECT c FROM sbtest{values[0]} WHERE k IN ({', '.join(map(str, values))}) LIMIT 3"
    assert without_values(query) == "SELECT c FROM sbtestN WHERE k IN (?, …) LIMIT ?"
