"""Drilldowns over releases, and the reasons of absent cells."""

from collections.abc import Mapping
from dataclasses import replace

import numpy as np
import pytest
from definition_samples import report_of
from msgspec import structs
from perfpress.analysis.drilldowns.columns import PathColumn, columns_of
from perfpress.analysis.drilldowns.drilldowns import DrilldownFigures, drilldown
from perfpress.analysis.paths.absence import FLAT, PRUNED
from perfpress.analysis.paths.aliases import with_aliases
from perfpress.analysis.paths.parse import parse_path
from perfpress.analysis.profiles.cost import Unknown, Work
from perfpress.analysis.profiles.profile import Profile
from perfpress.input.report.front_matter import Column, DrilldownDefinition
from perfpress.input.report.report import Report
from profile_samples import Stacks, profile_of_stacks

OLD: Stacks = {
    ("db", "execute", "sub_select", "evaluate", "compare"): 20,
    ("db", "execute", "sub_select"): 10,
    ("db", "execute", "write"): 30,
    ("low", "compact", "compare"): 40,
}
# evaluate is inlined into sub_select
NEW: Stacks = {
    ("db", "execute", "sub_select", "compare"): 25,
    ("db", "execute", "sub_select"): 15,
    ("db", "execute", "write"): 30,
    ("low", "compact", "compare"): 30,
}
INLINED = "inlined into sub_select (its callees there: 25.00 %)"


def column(path: str) -> PathColumn:
    return PathColumn("a", path, parse_path(path))


def table_of(
    path: str,
    releases: Mapping[str, Stacks | None],
    work: Mapping[str, Work | Unknown] | None = None,
    threshold: float = 0,
) -> DrilldownFigures:
    profiles: dict[str, Profile | None] = {
        release: None if stacks is None else profile_of_stacks(stacks)
        for release, stacks in releases.items()
    }
    return drilldown([column(path)], profiles, work or {}, threshold)


def reason(path: str, stacks: Stacks, *others: Stacks) -> str:
    releases = {"this": stacks, **{str(at): other for at, other in enumerate(others)}}
    return table_of(path, releases).along_path[0].cells[0].absent


def test_rows_are_releases_and_both_views_are_there() -> None:
    table = table_of("db >> compare", {"old": OLD, "new": NEW})
    assert [row.release for row in table.along_path] == ["old", "new"]
    assert [row.cells[0].share for row in table.along_path] == [0.20, 0.25]
    assert [row.cells[0].share for row in table.whole_profile] == [0.60, 0.55]
    assert table.along_path[0].cells[0].weight == 20
    assert [each.name for each in table.along_path[0].cells[0].names] == ["compare"]
    assert [row.cells[0].frame for row in table.along_path] == [
        "evaluate > compare",
        "sub_select > compare",
    ]


def test_a_cell_has_the_samples_of_its_path_where_the_profile_states_them() -> None:
    whole = profile_of_stacks(OLD)
    counted = replace(whole, self_samples=np.arange(len(whole.parent)))
    (row,) = drilldown([column("write")], {"old": counted}, {}).along_path
    # the root, db, execute, sub_select, evaluate, compare, write
    assert row.cells[0].samples == 6


def test_cost_is_the_path_s_weight_over_the_release_s_operations() -> None:
    work: dict[str, Work | Unknown] = {"old": Work(10.0, "", ""), "new": Unknown("no seconds")}
    table = table_of("db >> compare", {"old": OLD, "new": NEW}, work)
    assert [row.cells[0].cost for row in table.along_path] == [2.0, None]
    assert table.whole_profile[0].cells[0].cost == 6.0


def test_columns_that_stay_below_the_threshold_are_left_out() -> None:
    profiles: dict[str, Profile | None] = {
        "old": profile_of_stacks(OLD),
        "new": profile_of_stacks(NEW),
    }
    columns = [column("evaluate"), column("db > execute > sub_select > compare")]

    def kept(threshold: float) -> list[str]:
        return [each.text for each in drilldown(columns, profiles, {}, threshold).columns]

    # evaluate: 20 % and absent; compare directly below sub_select: absent and 25 %
    assert kept(20.0) == [column.text for column in columns]
    assert kept(21.0) == ["db > execute > sub_select > compare"]
    assert kept(26.0) == []
    # exactly as much is kept, by whichever unit it is compared
    assert kept(20.1) == ["db > execute > sub_select > compare"]
    none_left = drilldown(columns, profiles, {}, 26.0)
    assert none_left.along_path[0].cells == ()
    assert none_left.left_out == tuple(columns)
    all_but_one = drilldown([*columns, column("write")], profiles, {}, 26.0)
    assert [each.text for each in all_but_one.columns] == ["write"]
    assert [row.cells[0].share for row in all_but_one.along_path] == [0.3, 0.3]


def rest(path: str) -> PathColumn:
    return PathColumn("rest", path, parse_path(path), rest=True)


def test_what_is_left_of_a_path_is_without_the_columns_that_are_shown() -> None:
    profiles: dict[str, Profile | None] = {"old": profile_of_stacks(OLD), "none": None}
    work: dict[str, Work | Unknown] = {"old": Work(10.0, "", "")}
    columns = [column("db >> compare"), rest("db"), column("self(sub_select)")]
    table = drilldown(columns, profiles, work)
    old, none = table.along_path
    assert [(cell.weight, cell.share, cell.cost) for cell in old.cells] == [
        (20, 0.2, 2.0),
        (30, 0.3, 3.0),
        (10, 0.1, 1.0),
    ]
    assert (none.cells[1].weight, none.cells[1].absent) == (0, "no profile")
    # over the whole profile what is left is of all calls of the path's last function
    assert [cell.weight for cell in table.whole_profile[0].cells] == [60, 30, 10]
    # a column below the threshold is part of what is left
    without_small = drilldown(columns, profiles, work, 15.0)
    assert without_small.left_out == (columns[2],)
    assert [cell.weight for cell in without_small.along_path[0].cells] == [20, 40]
    assert [cell.weight for cell in without_small.whole_profile[0].cells] == [60, 40]


def test_what_is_left_over_the_whole_profile_is_of_the_last_function_anywhere() -> None:
    profiles: dict[str, Profile | None] = {"old": profile_of_stacks(OLD)}
    table = drilldown([column("db >> write"), rest("db > execute")], profiles, {})
    assert [cell.weight for cell in table.along_path[0].cells] == [30, 30]
    moved: Stacks = {**OLD, ("low", "execute", "write"): 7, ("low", "execute"): 5}
    table = drilldown(
        [column("db >> write"), rest("db > execute")], {"old": profile_of_stacks(moved)}, {}
    )
    assert [cell.weight for cell in table.along_path[0].cells] == [30, 30]
    assert [cell.weight for cell in table.whole_profile[0].cells] == [37, 35]


def test_a_cell_warns_of_one_name_for_several_functions_but_what_is_left_does_not() -> None:
    stacks: Stacks = {("db", "A::seek"): 3, ("db", "B::seek"): 4}
    profiles: dict[str, Profile | None] = {"old": profile_of_stacks(stacks)}
    (row,) = drilldown([column("seek"), rest("seek")], profiles, {}).along_path
    assert [cell.warnings for cell in row.cells] == [
        ("seek is 2 functions: A::seek, B::seek",),
        (),
    ]
    (row,) = drilldown([column("db > seek of x")], profiles, {}).along_path
    assert (row.cells[0].warnings, row.cells[0].frame) == ((), "")


def test_an_absent_cell_has_no_share_and_no_cost() -> None:
    cell = table_of("nothing", {"old": OLD}, {"old": Work(1.0, "", "")}).along_path[0].cells[0]
    assert (cell.share, cell.cost, cell.weight) == (None, None, 0)
    assert (cell.warnings, cell.frame) == ((), "")


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("evaluate", INLINED),
        ("sub_select > evaluate > compare", INLINED),
        ("self(execute >> evaluate)", INLINED),
        ("evaluate of db", INLINED),
        ("compare of evaluate", INLINED),
        ("low > write", "write is in this profile, but nowhere called directly by low"),
        ("low >> write", "write is in this profile, but nowhere below low"),
        ("!db >> write", "write is in this profile, but nowhere outside of db"),
        (
            "low >> !db | x >> write",
            "write is in this profile, but nowhere below low and outside of db or x",
        ),
        ("evaluated", "no such symbol: evaluated"),
        ("writ", "no such symbol: writ (nearest: write)"),
        ("[jit]", "no frames of [jit], or captures that do not tell it"),
    ],
)
def test_an_absent_cell_says_why(path: str, expected: str) -> None:
    assert reason(path, NEW, OLD) == expected


def test_inlining_shows_where_the_caller_called_a_little_of_it_before() -> None:
    before: Stacks = {**OLD, ("db", "execute", "sub_select", "compare"): 1}
    assert reason("evaluate", NEW, before) == INLINED


def test_what_a_drawing_lacks_may_have_been_too_thin_for_it() -> None:
    whole = profile_of_stacks(NEW)
    captures = tuple(structs.replace(each, format="flamegraph-svg") for each in whole.captures)
    drawn = replace(whole, captures=captures)
    reasons = [
        drilldown([column(path)], {"a": drawn}, {}).along_path[0].cells[0].absent
        for path in ("vacuum", "low > write")
    ]
    assert reasons == [
        f"no such symbol: vacuum{PRUNED}",
        f"write is in this profile, but nowhere called directly by low{PRUNED}",
    ]


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("execute > compare", FLAT),
        ("execute >> compare", FLAT),
        ("sub_select > compare", FLAT),
        ("nothing >> compare", FLAT),
        ("low > execute", "execute is in this profile, but nowhere called directly by low"),
        ("nothing", "no such symbol: nothing"),
    ],
)
def test_a_flat_profile_has_no_callers(path: str, expected: str) -> None:
    flat = profile_of_stacks({("db", "execute"): 3, ("db", "compare"): 5, ("low", "compare"): 1})
    captures = tuple(structs.replace(each, format="perf-report") for each in flat.captures)
    profiles = {"a": replace(flat, captures=captures), "b": profile_of_stacks(OLD)}
    assert drilldown([column(path)], profiles, {}).along_path[0].cells[0].absent == expected
    # with call chains (-g folded) a report has them
    whole = profile_of_stacks({("db", "execute", "write"): 3, ("db", "compare"): 5})
    profiles["a"] = replace(whole, captures=captures)
    assert drilldown([column(path)], profiles, {}).along_path[0].cells[0].absent != FLAT


def test_a_long_name_is_cut_in_a_reason() -> None:
    long = "f" * 1_000_000
    old: Stacks = {("t", long, "evaluate", "compare"): 1}
    assert len(reason("evaluate", {("t", long, "compare"): 1}, old)) < 300
    assert len(reason(long, {("t", "f" * 8000): 1})) < 300


def test_a_function_that_moved_to_another_caller_is_not_called_inlined() -> None:
    moved: Stacks = {("db", "execute", "compare"): 5, ("db", "execute", "sub_select"): 5}
    assert reason("evaluate", moved, OLD) == "no such symbol: evaluate"


def test_a_function_that_a_later_release_brings_is_no_typing_error() -> None:
    before: Stacks = {("db", "execute", "writes"): 1}
    assert reason("write", before, OLD) == "no such symbol: write"
    assert reason("write", before).endswith("(nearest: writes)")


def test_a_release_without_profile_says_so() -> None:
    table = table_of("db", {"old": None, "new": NEW})
    assert table.along_path[0].cells[0].absent == "no profile"
    assert table.along_path[1].cells[0].share == 0.7


def test_a_share_of_what_weighs_nothing_is_absent() -> None:
    cell = table_of("compare of self(execute)", {"old": OLD}).along_path[0].cells[0]
    assert (cell.share, cell.absent) == (None, "what the share is of weighs nothing")


def report_with(aliases: dict[str, tuple[str, ...]]) -> Report:
    return report_of(["old"], function_aliases=aliases, thread_aliases={"db": ("database",)})


def test_an_authors_columns_are_parsed_with_aliases_and_bad_ones_are_reported() -> None:
    definition = DrilldownDefinition(
        name="towers",
        columns=(
            Column(head="c", path="db > run"),
            Column(head="d", path="db >"),
            Column(head="e", path="db"),
        ),
    )
    columns, problems = columns_of(definition, 0, report_with({"run": ("execute",)}))
    assert [each.head for each in columns] == ["c", "e"]
    assert columns[0].path == parse_path("db | database > run | execute")
    (problem,) = problems
    assert problem.found == "character 5 of the path: the end"
    assert problem.expected == "a name"


@pytest.mark.parametrize(
    ("path", "joined"),
    [
        ("a", "a | x | y"),
        ("self(a > b)", "self(a | x | y > b)"),
        ("widest(!a >> b | a)", "widest(!a | x | y >> b | a | x | y)"),
        ("self(widest(a)) of a", "self(widest(a | x | y)) of a | x | y"),
        ("[kernel] > b", "[kernel] > b"),
        ("a | x", "a | x | y"),
    ],
)
def test_aliases_are_beside_every_name_that_has_them(path: str, joined: str) -> None:
    assert with_aliases(parse_path(path), {"a": ("x", "y")}) == parse_path(joined)
