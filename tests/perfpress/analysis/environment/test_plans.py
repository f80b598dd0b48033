"""Plans of two releases beside each other."""

import tarfile
from pathlib import Path

import pytest
import zstandard
from perfpress.analysis.environment.plans import compare_plans
from perfpress.input.logs.read import read_log
from perfpress.input.logs.readings import Plan, PlanStep, RowEstimates
from real_data import real_data

QUERY = "SELECT k FROM sbtestN WHERE k IN (?, …)"


def plan(
    rows: tuple[int, int, int] | None = None, operator: str = "range k_N", query: str = QUERY
) -> Plan:
    lowest, median, highest = rows or (0, 0, 0)
    estimates = RowEstimates(lowest=lowest, median=median, highest=highest) if rows else None
    steps = (PlanStep(operator=operator, rows=estimates),)
    return Plan(query=query, steps=steps, count=8, first_line=1)


def plan_changes(base: list[Plan], after: list[Plan]) -> list[str]:
    return [str(each) for each in compare_plans(base, after).differences]


def test_an_estimate_of_other_rows_is_reported_with_the_query() -> None:
    assert plan_changes([plan((100, 100, 100))], [plan((9700, 9700, 9700))]) == [
        f"rows 100 → rows 9,700 in: {QUERY}"
    ]
    assert plan_changes([plan((100, 100, 100))], [plan((118, 137, 159))]) == [
        f"rows 100 → rows 137 (118 to 159) in: {QUERY}"
    ]


def test_estimates_that_vary_with_the_values_are_the_same() -> None:
    assert plan_changes([plan((76, 103, 130))], [plan((80, 98, 141))]) == []
    assert plan_changes([plan((100, 100, 100))], [plan((99, 100, 100))]) == []
    assert plan_changes([plan((100, 100, 100))], [plan((90, 137, 159))]) == []
    # Estimates of a whole table come from a sample of its pages.
    assert (
        plan_changes([plan((986_400, 986_400, 986_400))], [plan((999_000, 999_000, 999_000))]) == []
    )
    assert plan_changes([plan((1838, 1838, 1872))], [plan((1998, 2028, 2044))]) == []


def test_a_gain_of_the_optimizer_is_reported_as_well() -> None:
    assert plan_changes([plan((500, 500, 500))], [plan((100, 100, 100))]) == [
        f"rows 500 → rows 100 in: {QUERY}"
    ]


def test_another_plan_is_reported_in_full() -> None:
    base, after = plan((100, 100, 100)), plan(None, "ALL")
    assert plan_changes([base], [after]) == [f"range k_N → ALL in: {QUERY}"]
    assert plan_changes([base], [base, after]) == [f"range k_N → range k_N, or ALL in: {QUERY}"]


def test_the_operator_is_named_where_a_plan_has_several() -> None:
    def nested(rows: int) -> Plan:
        own = RowEstimates(lowest=rows, median=rows, highest=rows)
        steps = (PlanStep(operator="ALL a"), PlanStep(operator="ref b", rows=own))
        return Plan(query=QUERY, steps=steps, count=1, first_line=1)

    assert plan_changes([nested(1)], [nested(40)]) == [
        f"rows 1 by ref b → rows 40 by ref b in: {QUERY}"
    ]


def test_estimates_of_all_runs_of_a_side_count() -> None:
    repeats = [plan((100, 100, 100)), plan((150, 150, 150))]
    assert plan_changes(repeats, [plan((140, 140, 140))]) == []


def test_what_only_one_side_explained_is_not_compared() -> None:
    comparison = compare_plans([plan()], [plan(query="SELECT 1"), plan(query="SELECT 2")])
    assert (comparison.compared, comparison.differences) == (0, ())
    assert compare_plans([plan()], [plan()]).compared == 1


def text_plan(*operators: str) -> Plan:
    steps = tuple(PlanStep(operator=each) for each in operators)
    return Plan(query=QUERY, steps=steps, count=1, first_line=1)


@pytest.mark.parametrize(
    ("base", "after"),
    [
        # MySQL 5.6, and 5.7 with a column more.
        (
            text_plan(
                "1 SIMPLE sbtestN: type const, possible_keys PRIMARY, key PRIMARY, ref const"
            ),
            text_plan(
                "1 SIMPLE sbtestN: partitions null, type const, possible_keys PRIMARY, "
                "key PRIMARY, ref const, Extra null"
            ),
        ),
        # PostgreSQL 17, and 18 with a line more.
        (
            text_plan("Index Scan using k_N on sbtestN", "  Index Cond: (k = ?)"),
            text_plan(
                "Index Scan using k_N on sbtestN", "  Index Cond: (k = ?)", "  Index Searches: ?"
            ),
        ),
    ],
)
def test_another_output_format_is_no_other_plan(base: Plan, after: Plan) -> None:
    assert plan_changes([base], [after]) == []
    assert plan_changes([after], [base]) == []


TABLE = text_plan("1 SIMPLE sbtestN: type range, key k_N")
TREE = text_plan("-> Limit: ? row(s)", "    -> Index range scan on sbtestN using k_N")
MYSQL_JSON = text_plan("{", '"query_block": {', '"access_type": "range",', "}", "}")
MYSQL_9_JSON = text_plan("{", '"query": "SELECT ?",', '"query_plan": {', "}", "}")
POSTGRES_TEXT = text_plan("Limit", "  ->  Index Scan using k_N on sbtestN")
POSTGRES_JSON = text_plan("[", "{", '"Plan": {', "}", "}", "]")


def test_json_with_more_keys_is_no_other_plan_and_another_access_is() -> None:
    newer = text_plan(
        *("{", '"query_block": {', '"cost_info": {', '"query_cost": "?"', "},"),
        *('"access_type": "range",', "}", "}"),
    )
    assert plan_changes([MYSQL_JSON], [newer]) == []
    other = text_plan("{", '"query_block": {', '"access_type": "ALL",', "}", "}")
    (change,) = plan_changes([MYSQL_JSON], [other])
    assert '"access_type": "range",' in change
    assert '"access_type": "ALL",' in change


@pytest.mark.parametrize(
    ("base", "after"),
    [
        (TABLE, TREE),
        (TABLE, MYSQL_JSON),
        (TREE, MYSQL_JSON),
        (MYSQL_JSON, MYSQL_9_JSON),
        (MYSQL_JSON, POSTGRES_JSON),
        (POSTGRES_TEXT, POSTGRES_JSON),
        (POSTGRES_TEXT, TREE),
    ],
)
def test_plans_in_unlike_formats_are_not_compared(base: Plan, after: Plan) -> None:
    assert compare_plans([base], [after]).compared == 0
    assert compare_plans([after], [base]).compared == 0
    for own in (base, after):
        assert compare_plans([own], [own]).compared == 1


def test_another_condition_is_another_plan() -> None:
    plans = [
        text_plan("Index Scan on sbtestN", f"  Index Cond: (k {operator} ?)") for operator in "=<"
    ]
    assert len(plan_changes(plans[:1], plans[1:])) == 1


def test_the_only_clue_to_a_halved_rate_is_found_in_the_published_logs(tmp_path: Path) -> None:
    # The published table gives 0.46 for this build and test.
    archive = real_data("mariadb-sysbench-hetz48/sysbench-logs.tar.zst")
    builds = {build: f"x.ma{build}_rel_withdbg.z12a_c32r128.pk1" for build in ("100230", "100309")}
    log = "sb.o.points-covered-si.range100.pk1.dop40"
    wanted = {f"{directory}/{log}": build for build, directory in builds.items()}
    plans: dict[str, tuple[Plan, ...]] = {}
    with (
        archive.open("rb") as packed,
        zstandard.ZstdDecompressor().stream_reader(packed) as plain,
        tarfile.open(fileobj=plain, mode="r|") as members,
    ):
        while len(plans) < len(wanted) and (member := members.next()):
            if member.name in wanted:
                extracted = members.extractfile(member)
                assert extracted is not None
                (tmp_path / "log").write_bytes(extracted.read())
                plans[wanted[member.name]] = read_log(tmp_path / "log", member.name).plans
    comparison = compare_plans(plans["100230"], plans["100309"])
    assert comparison.compared == 1
    assert [str(each) for each in comparison.differences] == [
        "rows 100 → rows 137 (118 to 159) in: SELECT k FROM sbtestN WHERE k IN ( ?, …)"
    ]
