"""Functions of steps that have profiles only: which, in what order, and what their colour is."""

from collections.abc import Mapping
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import msgspec
import pytest
from perfpress.analysis.verdicts.states import State
from perfpress.analysis.verdicts.verdicts import Verdict
from perfpress.base.node.messages.findings import Change, ChangeParts, Findings
from perfpress.site.directory import SiteDirectory
from perfpress.site.figures.graph_jobs import diff_jobs
from perfpress.site.report_figures import DiffKey, Figures
from perfpress.site.shapes.blocks import Cell, Table
from perfpress.site.tables import top_functions as module
from perfpress.site.tables.frame_links import FrameLinks
from perfpress.site.tables.top_functions import top_functions, top_functions_table
from perfpress.site.words.function_changes import (
    cost_change_sentence,
    largest_share_changes,
    release_cost_change,
    step_change_sentences,
    where_time_went,
)
from perfpress.site.words.verdict_sentences import plain
from profile_samples import Stacks
from step_run_samples import captures, step_run
from study_samples import cell_of, profile_on_disk, repeats, study_of
from suspect_samples import NOTHING_CHANGED, change, function

RELEASES: Mapping[str, Stacks] = {
    "16": {("db", "main", "scan"): 500, ("db", "main", "sort"): 400, ("db", "main", "old"): 100},
    "17": {("db", "main", "scan"): 500, ("db", "main", "sort"): 405, ("db", "main", "old"): 95},
    "18": {("db", "main", "scan"): 500, ("db", "main", "sort"): 200, ("db", "main", "new"): 300},
}
KEY = DiffKey(cell_of("18"), "16")


def share(name: str, base: float, after: float, **facts: Any) -> Change:
    return change(name, base, after, **facts)


def found(*changes: Change) -> Findings:
    return msgspec.structs.replace(
        NOTHING_CHANGED,
        basis="share",
        unit="cycles",
        shown=msgspec.structs.replace(NOTHING_CHANGED.shown, factor=100.0, unit="% of all"),
        additions=tuple(each for each in changes if each.net > 0),
        savings=tuple(each for each in changes if each.net < 0),
    )


FOUND = found(
    share("new", 0.0, 0.3),
    share("sort", 0.4, 0.2, callers=(function("main", 1.0, 0.9),)),
    share("old", 0.1, 0.0),
)


def figures_of(
    directory: Path,
    report: Mapping[str, Any] | None = None,
    releases: Mapping[str, Stacks] = RELEASES,
) -> Figures:
    runs = [
        step_run(
            directory / release,
            step={"logs": None, "captures": ["perf.*"]},
            changes={"release": release},
            files=captures(1),
        )
        for release in releases
    ]
    profiles = [profile_on_disk(directory, each, stacks) for each, stacks in releases.items()]
    return Figures(study_of(runs, profiles, report))


@pytest.fixture
def figures(tmp_path: Path) -> Figures:
    return figures_of(tmp_path)


def table_of(figures: Figures, tmp_path: Path, **arguments: Any) -> Table:
    drawn = [(cell, "cycles") for cell in figures.study.profiles]
    links = FrameLinks(figures, drawn, {}, SiteDirectory(tmp_path / "site"))
    tops = top_functions(figures, {KEY: FOUND})
    made = top_functions_table(figures, links, tops.values(), **arguments)
    assert made is not None
    return made


def cell(table: Table, function: str, release: str) -> Cell:
    at = [column.key for column in table.columns].index(release)
    return next(row for row in table.rows if row.key == function).cells[at]


def test_what_changed_most_comes_first_and_then_the_heaviest(
    figures: Figures, tmp_path: Path
) -> None:
    table = table_of(figures, tmp_path)
    assert [row.label for row in table.rows] == ["new", "sort", "old", "scan", "db", "main"]
    assert [column.label for column in table.columns] == ["16", "17", "18"]
    assert table.columns[0].unit == "base"
    assert table.caption == "Top functions by release, % of cycles, with everything they call"


def test_cells_are_shares_that_lead_to_the_function_in_the_graph_of_the_release(
    figures: Figures, tmp_path: Path
) -> None:
    table = table_of(figures, tmp_path)
    assert [cell(table, "sort", each).text for each in RELEASES] == ["40.00", "40.50", "20.00"]
    graph = "/reports/servers/18/select/#flamegraph-18-select.frame="
    assert cell(table, "sort", "18").url == f"{graph}%5Buser%5Dsort"
    assert (cell(table, "new", "16").text, cell(table, "new", "16").url) == ("–", "")


def test_colour_is_of_changes_beyond_noise_alone(figures: Figures, tmp_path: Path) -> None:
    table = table_of(figures, tmp_path)
    assert cell(table, "new", "18").tint == "worse-5"
    assert cell(table, "sort", "18").tint == "better-5"
    assert cell(table, "old", "18").tint == "better-5"
    plain = {cell(table, each, "17").tint for each in ("sort", "old", "scan")}
    assert plain | {cell(table, "scan", "18").tint, cell(table, "sort", "16").tint} == {""}


def test_what_only_moved_has_no_colour(figures: Figures, tmp_path: Path) -> None:
    # `main` has the same share, though its net change is a saving.
    assert cell(table_of(figures, tmp_path), "main", "18").tint == ""


def test_a_renamed_function_has_the_colour_of_its_net_change(
    figures: Figures, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # 30 % in a function that the base does not have, of which 28 were in another one.
    renamed = share("new", 0.0, 0.3, net=0.02)
    monkeypatch.setitem(globals(), "FOUND", found(renamed))
    assert cell(table_of(figures, tmp_path), "new", "18").tint == "worse-2"


def test_a_release_without_a_profile_says_why(tmp_path: Path) -> None:
    figures = figures_of(tmp_path)
    (kept,) = figures.study.profiles[cell_of("17")]
    profiles = {each: own for each, own in figures.study.profiles.items() if each != kept.cell}
    object.__setattr__(figures.study, "profiles", profiles)
    table = table_of(figures, tmp_path)
    assert [column.label for column in table.columns] == ["16", "18"]


def test_a_release_that_stands_in_for_the_base_is_what_the_table_compares_with(
    tmp_path: Path,
) -> None:
    figures = figures_of(tmp_path, {"base": "15"}, {"15": RELEASES["16"], **RELEASES})
    of_all = figures.study.profiles
    kept = {each: own for each, own in of_all.items() if each.release != "15"}
    object.__setattr__(figures.study, "profiles", kept)
    assert figures.study.base_of("socket2") == "15"
    table = table_of(figures, tmp_path)
    assert [column.unit for column in table.columns if column.label == "16"] == ["base"]
    assert cell(table, "sort", "18").tint == "better-5"
    assert any("changed most against 16, then" in note for note in table.notes)


def test_only_the_asked_releases_are_shown(figures: Figures, tmp_path: Path) -> None:
    table = table_of(figures, tmp_path, releases=["16", "18"])
    assert [column.key for column in table.columns] == ["16", "18"]


def test_a_large_report_shows_fewer_functions_of_each_step(
    figures: Figures, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "MOST_CELLS", 6)
    assert [row.label for row in table_of(figures, tmp_path).rows] == ["new", "sort"]


def test_rates_of_the_author_turn_shares_into_costs_and_all_code_has_a_row(tmp_path: Path) -> None:
    figures = figures_of(tmp_path, {"rates": {"17": 1.0, "18": 0.5}})
    table = table_of(figures, tmp_path)
    assert "author’s rates" in table.caption
    assert [cell.text for cell in table.rows[0].cells] == ["100.00", "100.00", "200.00"]
    assert cell(table, "sort", "18").text == "40.00"
    assert "The author’s relative rates: 16 1.0, 17 1.0, 18 0.50." in table.notes


def test_a_step_with_rates_has_no_such_table(tmp_path: Path) -> None:
    runs = repeats(tmp_path, "18", [1000.0])
    figures = Figures(study_of(runs, [profile_on_disk(tmp_path, "18")]))
    assert top_functions(figures, {}) == {}


def test_sentences_name_the_largest_changes_of_both_directions(figures: Figures) -> None:
    (sentence,) = step_change_sentences(figures, {KEY: FOUND}, KEY)
    assert plain([sentence]) == (
        "select, 16 → 18: one function takes a larger share of the cycles beyond noise, new "
        "+30.0\N{NO-BREAK SPACE}points; 2 functions take a smaller one, "
        "sort −20.0\N{NO-BREAK SPACE}points and old −10.0\N{NO-BREAK SPACE}points."
    )
    assert sentence[0].url == "/reports/servers/18/select/vs/16/"
    assert where_time_went(figures, {KEY: FOUND}, KEY) == (sentence,)
    assert step_change_sentences(figures, {}, KEY) == ()


def test_a_sentence_says_that_nothing_changed(figures: Figures) -> None:
    (sentence,) = step_change_sentences(figures, {KEY: found()}, KEY)
    assert plain([sentence]) == (
        "select, 16 → 18: no function’s share of cycles changed beyond noise."
    )


def test_one_sentence_has_the_largest_changes_of_both_directions(figures: Figures) -> None:
    insert = DiffKey(KEY.cell._replace(step="insert"), "16")
    findings = {insert: found(share("log", 0.1, 0.15)), KEY: FOUND}
    sentence = largest_share_changes(figures, "18", "socket2", findings)
    assert plain([sentence]) == (
        "18 against 16, largest net changes in share of cycles, beyond noise: "
        "new +30.0\N{NO-BREAK SPACE}points, sort −20.0\N{NO-BREAK SPACE}points in select; "
        "log +5.0\N{NO-BREAK SPACE}points in insert. Profiles only, no throughput."
    )
    assert {phrase.url for phrase in sentence if phrase.text == "select"} == {
        "/reports/servers/18/select/vs/16/"
    }
    own_page = largest_share_changes(figures, "18", "socket2", findings, named=False)
    assert plain([own_page]).startswith("Against 16, largest net changes")
    none = largest_share_changes(figures, "18", "socket2", {KEY: found()})
    assert "no function’s share of cycles changed beyond noise" in plain([none])
    assert largest_share_changes(figures, "17", "socket2", {KEY: FOUND}) == ()


def test_costs_have_sentences_of_their_own(figures: Figures) -> None:
    costs = msgspec.structs.replace(FOUND, basis="relative_cost")
    assert largest_share_changes(figures, "18", "socket2", {KEY: costs}) == ()
    assert where_time_went(figures, {KEY: costs}, KEY) == ()


def costs(*changes: Change, even: float = 1.0, whole: float = 20.0, **facts: Any) -> Findings:
    """Return the findings of a query that cost 100 on the base."""
    return msgspec.structs.replace(
        found(*changes),
        basis="cost_per_operation",
        even=even,
        base=msgspec.structs.replace(NOTHING_CHANGED.base, whole=100.0),
        change=ChangeParts(whole, 100.0 * (even - 1), 0.0, 0.0, 0.0),
        **facts,
    )


def test_where_the_time_went_is_parts_of_the_cost_with_what_all_code_took(figures: Figures) -> None:
    memcpy = share("libc::memcpy", 5.0, 11.0, path="memcpy")
    changed = costs(memcpy, share("sort", 9.0, 6.0), even=1.15)
    (sentence,) = where_time_went(figures, {KEY: changed}, KEY)
    assert plain([sentence]).replace("\N{NO-BREAK SPACE}", " ") == (
        "Where the time went: libc::memcpy +6.0 %, sort −3.0 %, all code evenly +15.0 %; "
        "in all +20.0 % of the cost of one transaction on 16."
    )
    saved = msgspec.structs.replace(changed, change=ChangeParts(-20.0, 15.0, 0.0, 0.0, 0.0))
    (sorting,) = where_time_went(figures, {KEY: saved}, KEY)
    assert plain([sorting]).startswith("Where the time went: sort −3.0")
    assert {phrase.url for phrase in sentence if "memcpy" in phrase.text} == {
        "/reports/servers/18/select/vs/16/#diff-18-select-16.frame=memcpy"
    }


@pytest.mark.parametrize(
    ("state", "whole", "words"),
    [
        (State.SLOWER, -30.0, "The profile of select does not explain it: sort −30.0"),
        (State.FASTER_ONE_RUN, 30.0, "The profile of select does not explain it: sort +30.0"),
        (State.SLOWER, 30.0, "Where the time went in select: sort +30.0"),
        (State.NOISY, -30.0, "Where the time went in select: sort −30.0"),
    ],
)
def test_a_cost_that_fell_does_not_explain_a_step_that_is_slower(
    figures: Figures, state: State, whole: float, words: str
) -> None:
    figures.__dict__["verdicts"] = {(KEY.cell, KEY.base): Verdict(KEY.cell, KEY.base, state, "")}
    changed = costs(share("sort", 50.0, 50.0 + whole), whole=whole, unit="0.001 ps")
    sentence = cost_change_sentence(figures, KEY, changed, "select")
    assert plain([sentence]).startswith(words)
    assert plain([sentence]).endswith("% of the waiting time of one transaction on 16.")


def test_where_the_time_went_may_be_everywhere_or_nowhere(figures: Figures) -> None:
    evenly = where_time_went(figures, {KEY: costs(even=1.09, spread_evenly=True)}, KEY)
    assert "spread evenly over all code, +9.0\N{NO-BREAK SPACE}%." in plain(evenly)
    nothing = where_time_went(figures, {KEY: costs()}, KEY)
    assert plain(nothing) == "Where the time went: no function changed beyond noise."


def test_a_release_names_the_step_whose_cost_changed_most(figures: Figures) -> None:
    scan = DiffKey(KEY.cell._replace(step="scan"), "16")
    sort = share("sort", 9.0, 6.0)
    findings = {scan: costs(sort, whole=5.0), KEY: costs(sort, whole=-30.0)}
    (sentence,) = release_cost_change(figures, "18", "socket2", findings)
    assert plain([sentence]).startswith("Where the time went in select: sort −3.0")
    assert sentence[1].url == "/reports/servers/18/select/vs/16/"
    assert release_cost_change(figures, "17", "socket2", findings) == ()


def test_a_step_with_a_rate_is_named_before_those_made_for_their_profile(
    figures: Figures, monkeypatch: pytest.MonkeyPatch
) -> None:
    scan = DiffKey(KEY.cell._replace(step="scan"), "16")
    rated = {(KEY.cell, KEY.base): SimpleNamespace(comparison=object(), state=State.SLOWER)}
    monkeypatch.setitem(vars(figures), "verdicts", rated)
    sort = share("sort", 9.0, 6.0)
    findings = {scan: costs(sort, whole=-30.0), KEY: costs(sort, whole=5.0)}
    (sentence,) = release_cost_change(figures, "18", "socket2", findings)
    assert plain([sentence]).startswith("Where the time went in select: sort −3.0")


def test_a_step_that_changed_is_named_before_one_whose_verdict_is_noisy(
    figures: Figures, monkeypatch: pytest.MonkeyPatch
) -> None:
    scan = DiffKey(KEY.cell._replace(step="scan"), "16")
    states = {KEY.cell: State.FASTER, scan.cell: State.NOISY}
    rated = {
        (cell, "16"): SimpleNamespace(comparison=object(), state=state)
        for cell, state in states.items()
    }
    monkeypatch.setitem(vars(figures), "verdicts", rated)
    sort = share("sort", 9.0, 6.0)
    findings = {scan: costs(sort, whole=-30.0), KEY: costs(sort, whole=-5.0)}
    (sentence,) = release_cost_change(figures, "18", "socket2", findings)
    assert plain([sentence]).startswith("Where the time went in select: sort −3.0")


def test_the_first_release_with_a_profile_stands_in_for_a_base_without(tmp_path: Path) -> None:
    runs = [run for release in ("16", "17", "18") for run in repeats(tmp_path, release, [1000.0])]
    profiles = [profile_on_disk(tmp_path, release) for release in ("17", "18")]
    figures = Figures(study_of(runs, profiles))
    key = DiffKey(KEY.cell, "17")
    assert figures.study.base_of("socket2") == "16"
    assert (figures.profile_base(KEY.cell), figures.is_against_base(key)) == ("17", True)
    assert [*diff_jobs(figures, {})] == [key]
    (sentence,) = release_cost_change(figures, "18", "socket2", {key: FOUND})
    assert plain([sentence]).startswith("select, 16 → 18: one function takes a larger share")


def test_a_function_that_changed_in_several_steps_is_named_once_with_its_first_release(
    tmp_path: Path,
) -> None:
    figures = figures_of(tmp_path, releases={**RELEASES, "19": RELEASES["18"]})
    insert = DiffKey(cell_of("19")._replace(step="insert"), "16")
    findings = {
        DiffKey(cell_of("17"), "16"): found(),
        KEY: found(share("log", 0.1, 0.15)),
        DiffKey(cell_of("19"), "16"): found(share("log", 0.1, 0.15)),
        insert: found(share("log", 0.1, 0.14)),
    }
    sentence = plain([largest_share_changes(figures, "19", "socket2", findings)])
    words = "log +4.0 to +5.0\N{NO-BREAK SPACE}points in select and insert, since 18. "
    assert f"beyond noise: {words}" in sentence


def test_what_all_other_code_takes_less_of_is_not_called_unchanged(figures: Figures) -> None:
    alone = msgspec.structs.replace(found(share("new", 0.1, 0.4)), even=0.64)
    (sentence,) = step_change_sentences(figures, {KEY: alone}, KEY)
    assert plain([sentence]).endswith("points; all other code takes less in proportion.")
