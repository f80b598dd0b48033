"""Tables of profiles: costs, functions, drilldowns, diffs; of one event, or with the reason."""

import re
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Literal

import msgspec
import pytest
from perfpress.analysis.study.profiles import CellProfile
from perfpress.base.display import LONGEST_NAME, number
from perfpress.base.node.jobs import Done
from perfpress.base.node.messages.graphs import (
    DiffAnswer,
    FunctionCell,
    FunctionColumn,
    FunctionRow,
    FunctionTable,
    GoneFunction,
    GoneFunctions,
    Joined,
)
from perfpress.input.report.front_matter import Column, DrilldownDefinition
from perfpress.site.directory import SiteDirectory
from perfpress.site.nearby_releases import cells_of_step
from perfpress.site.pages.diff import diff_page
from perfpress.site.report_figures import DiffKey, Figures
from perfpress.site.shapes.blocks import Drilldown, Fact, Graph
from perfpress.site.tables.drilldowns import drilldowns, weighed_drilldowns
from perfpress.site.tables.frame_links import FrameLinks
from perfpress.site.tables.functions import changes_table, functions_table, gone_table
from perfpress.site.tables.quality import quality_table
from perfpress.site.tables.results import cost_columns
from perfpress.site.words.diff_headline import WORDS
from perfpress.site.words.measured import work_text
from profile_samples import Stacks
from study_samples import STACKS, captured, cell_of, profile_on_disk, repeats, study_of
from suspect_samples import NOTHING_CHANGED

CLOCK = ("cpu-clock", "CPU ns")
CYCLES = ("cycles", "cycles")
SLOWER: Stacks = {("db", "main", "run"): 600, ("db", "main", "read_[k]"): 900}


def figures_of(directory: Path, events: dict[str, list[tuple[str, str]]], **report: Any) -> Figures:
    """Return a study of captured releases, each with a profile of some events."""
    profiles = [
        profile_on_disk(directory, release, STACKS, event, unit)
        for release, of_release in events.items()
        for event, unit in of_release
    ]
    return Figures(study_of([captured(directory, release) for release in events], profiles, report))


def main_event(figures: Figures, release: str) -> str | None:
    made = figures.main(cell_of(release))
    return made.event if made else None


def test_tables_are_of_the_event_that_most_releases_have(tmp_path: Path) -> None:
    figures = figures_of(tmp_path, {"a": [CYCLES, CLOCK], "b": [CYCLES], "c": [CLOCK, CYCLES]})
    assert [main_event(figures, release) for release in "abc"] == ["cycles"] * 3


def test_of_two_events_that_all_have_it_is_the_first_by_name(tmp_path: Path) -> None:
    figures = figures_of(tmp_path, {"a": [CYCLES, CLOCK], "b": [CLOCK, CYCLES]})
    assert [main_event(figures, release) for release in "ab"] == ["cpu-clock"] * 2


def test_a_cost_in_another_unit_is_left_out_with_the_reason(tmp_path: Path) -> None:
    figures = figures_of(tmp_path, {"a": [CYCLES], "b": [CLOCK], "c": [CYCLES]})
    cells = [cell_of(release) for release in "abc"]
    (column,) = cost_columns(figures, cells)
    assert column.unit == "cycles/transaction"
    costs = [column.cell(cell) for cell in cells]
    # 1000 cycles in 10 s at 1000/s
    assert [cost.text for cost in costs] == ["0.1000", "–", "0.1000"]
    assert costs[1].note == "its profile is of cpu-clock, and the others' of cycles (cycles)"
    assert costs[0].note.startswith("10,000 operations: captures of 10 s")


def test_releases_without_profiles_have_no_cost(tmp_path: Path) -> None:
    study = study_of(
        [captured(tmp_path, "a"), *repeats(tmp_path, "b", [1.0])], [profile_on_disk(tmp_path, "a")]
    )
    figures = Figures(study)
    cells = [cell_of("a"), cell_of("b")]
    assert cost_columns(figures, cells)[0].cell(cells[1]).note == "no profile"
    nothing = Figures(study_of(repeats(tmp_path / "2", "b", [1.0])))
    assert cost_columns(nothing, cells[1:]) == ()


def test_the_work_of_an_event_is_that_of_its_own_captures(tmp_path: Path) -> None:
    profiles = [
        profile_on_disk(tmp_path, "a"),
        profile_on_disk(tmp_path, "a", event="waits", unit="ps", file="of another run"),
    ]
    figures = Figures(study_of([captured(tmp_path, "a")], profiles))
    assert work_text(figures, cell_of("a")).startswith("10,000 operations")
    no_captures = "no run of this step has captures in the profile"
    assert work_text(figures, cell_of("a"), "waits") == no_captures
    table = quality_table(figures, cells_of_step(figures.study, "socket2", "select"), None)
    assert table is not None
    assert [row.label for row in table.rows] == ["a, cycles", "a, waits"]
    assert [row.note.startswith("10,000") for row in table.rows] == [True, False]
    assert table.rows[1].note == no_captures


def compared(figures: Figures, after: str, base: str) -> tuple[CellProfile, CellProfile] | None:
    return figures.common_profile(cell_of(after), cell_of(base))


def test_two_releases_are_compared_by_an_event_that_both_have(tmp_path: Path) -> None:
    figures = figures_of(
        tmp_path, {"a": [CLOCK, CYCLES], "b": [CLOCK, CYCLES], "c": [CYCLES], "d": [("x", "y")]}
    )
    # cycles is what most have
    for after, base in ("ba", "ca", "ac"):
        pair = compared(figures, after, base)
        assert pair is not None
        assert [(made.cell.release, made.event) for made in pair] == [
            *((after, "cycles"), (base, "cycles"))
        ]
    assert compared(figures, "d", "a") is None


def test_an_event_beside_the_tables_own_still_serves_a_diff(tmp_path: Path) -> None:
    events = {"a": [CLOCK], "b": [CLOCK], "c": [CLOCK], "d": [CYCLES], "e": [CYCLES]}
    figures = figures_of(tmp_path, events)
    assert figures.events == {("socket2", "select"): CLOCK}
    assert compared(figures, "d", "a") is None
    pair = compared(figures, "e", "d")
    assert pair is not None
    assert [made.event for made in pair] == ["cycles", "cycles"]
    assert headline(figures, "e", "d")["Cost per operation"].value.startswith("0.1000 → 0.1000")


def headline(figures: Figures, after: str, base: str) -> dict[str, Fact]:
    graph = Graph(id="g", caption="", asset="", profile_url="")
    joined = Joined(
        how="renamed",
        key="run_any",
        base_key="run_one",
        family="user",
        why="likely",
        base=("run_one",),
        after=("run_any",),
    )
    result = DiffAnswer(
        matched_percent=40,
        matched="40.0 % of the weight could be matched",
        functions_first=True,
        joined=(joined, msgspec.structs.replace(joined, how="name", why="suffixes")),
        functions=head_of("run"),
        gone=GoneFunctions(0, 0.0, ()),
        threads=("Threads are compared as one.", "Cut stacks are shown."),
        changes=NOTHING_CHANGED,
        legend=(),
        about="",
        noise="",
        frames=1,
    )
    page = diff_page(figures, DiffKey(cell_of(after), base), graph, Done(Path(), "", result))
    assert page.summary == ()
    assert page.functions_first
    assert page.matched.endswith(
        "could be matched. Threads are compared as one. Cut stacks are shown."
    )
    assert page.renames is not None
    (row,) = page.renames.rows
    assert [row.label, *(cell.text for cell in row.cells)] == [
        *("run_any", "run_one", "likely", 'run_any = ["run_one"]'),
    ]
    assert page.renames.notes[-1] == (
        "Not listed: 1 pair whose names differ only in what compilers and CPUs add; the diff file "
        "has all."
    )
    return {fact.label: fact for fact in page.headline}


def test_a_diff_of_two_units_has_no_numbers_but_the_reason(tmp_path: Path) -> None:
    figures = figures_of(tmp_path, {"a": [CYCLES], "b": [CLOCK]})
    cost = headline(figures, "b", "a")["Cost per operation"]
    assert (cost.value, cost.note) == ("–", WORDS.no_common_event)


def changed(directory: Path, after: Stacks = SLOWER, **capture: Any) -> Figures:
    """Return a study in which release b has changed against a."""
    profiles = [profile_on_disk(directory, "a"), profile_on_disk(directory, "b", after)]
    runs = [captured(directory, "a"), captured(directory, "b", 500.0, capture=capture)]
    return Figures(study_of([*runs, *repeats(directory, "a", [10.0])], profiles))


def test_a_diff_s_headline_has_both_sides_and_the_change(tmp_path: Path) -> None:
    facts = headline(changed(tmp_path), "b", "a")
    # 1000 cycles over 10,000 operations; 1500 over 5,000
    assert facts["Cost per operation"].value == "0.1000 → 0.3000 cycles/transaction"
    assert facts["Cost per operation"].note == "+200.0\N{NO-BREAK SPACE}%"
    assert facts["Throughput"].value == "10.00 → – transactions/s"
    assert facts["Throughput"].note == "no change known"


def test_a_cost_that_is_not_known_says_why_in_the_headline(tmp_path: Path) -> None:
    cost = headline(changed(tmp_path, seconds=None), "b", "a")["Cost per operation"]
    assert cost.value.startswith("0.1000 → –")
    assert cost.note.startswith("b: ")


def head_of(*names: str, functions: int = 0) -> FunctionTable:
    """Return functions as a job answers them."""
    cells = (FunctionCell("60.00", 0.6), FunctionCell("–", None))
    return FunctionTable(
        columns=(
            FunctionColumn("self", "Self", "% of all", "alone"),
            FunctionColumn("total", "Total", "% of all", "alone"),
        ),
        first="self",
        rows=tuple(FunctionRow(f"user {name}", name, "user code", cells) for name in names),
        functions=functions or len(names),
    )


def test_functions_that_are_gone_are_ranked_and_lead_to_their_frames(tmp_path: Path) -> None:
    figures = figures_of(tmp_path, {"a": [CYCLES]})
    (base,) = (profile for _, profile in figures.profiles[cell_of("a")])
    rows = (
        GoneFunction("user run", "run", "[user]run", 25.0, 50.0),
        GoneFunction("user read", "read", "[user]read", 12.5, 12.5),
    )
    table = gone_table(GoneFunctions(12, 40.0, rows), base, "diff-x", ("16", "18"))
    assert table is not None
    assert table.caption == "Gone: functions of 16 that 18 does not have"
    assert [row.url for row in table.rows] == [
        "#diff-x.frame=%5Buser%5Drun",
        "#diff-x.frame=%5Buser%5Dread",
    ]
    share, total, weight = table.rows[0].cells
    assert (share.text, total.text) == ("25.00", "50.00")
    assert (weight.sort, weight.text) == (base.total / 4, f"{number(base.total / 4)} cycles")
    assert table.notes[0].startswith(
        "12 functions, alone 40.00\N{NO-BREAK SPACE}% of 16; the largest 2 are listed."
    )
    assert gone_table(GoneFunctions(0, 0.0, ()), base, "diff-x", ("16", "18")) is None


def test_a_table_of_functions_is_what_the_drawing_counted() -> None:
    table = functions_table(head_of("run", "read", functions=1234), "t")
    assert [column.label for column in table.columns] == ["Self", "Total", "Kind"]
    assert [(row.label, row.function) for row in table.rows] == [
        *(("run", "user run"), ("read", "user read"))
    ]
    known, unknown, kind = table.rows[0].cells
    assert (known.text, known.sort, unknown.text, unknown.sort) == ("60.00", 0.6, "–", None)
    assert kind.text == "user code"
    (note,) = table.notes
    assert note == (
        "The page itself has 2 of 1,234 functions; the viewer and the downloads have all."
    )
    assert functions_table(head_of("run"), "t").notes == ()


def test_a_diff_s_functions_are_under_both_names() -> None:
    table = changes_table(head_of("run"), "functions", "16", "18")
    assert table.caption == "Functions of 16 and 18, the largest change of self first"
    assert table.id == "functions"


HOSTILE = (
    '"><script>alert(1)</script>',
    "=cmd|' /C calc'!A0",
    "../../etc/passwd",
    "a\x00b\x1b[31m",
)


def test_hostile_names_stay_text() -> None:
    table = functions_table(head_of(*HOSTILE), "t")
    assert [row.label for row in table.rows] == list(HOSTILE)
    assert all(re.fullmatch(r"[a-z0-9._-]+", row.key) for row in table.rows)


def drilldown_of(figures: Figures) -> Drilldown:
    with TemporaryDirectory() as directory:
        links = FrameLinks(figures, (), {}, SiteDirectory(Path(directory)))
        weighed, problems = weighed_drilldowns(figures)
        (only,) = drilldowns(figures, weighed, links).values()
    assert problems == []
    return only


def defined(*paths: str, threshold: float = 0.0) -> tuple[DrilldownDefinition, ...]:
    columns = tuple(Column(head=path, path=path) for path in paths)
    return (DrilldownDefinition(name="towers", columns=columns, threshold=threshold),)


@pytest.mark.parametrize(
    ("path", "along", "whole"),
    [
        (
            "db >> run",
            "Percent of the whole profile, with everything it called.",
            "percent of the whole profile, with everything it called",
        ),
        (
            "self(run)",
            "Percent of the whole profile, without what it called.",
            "percent of the whole profile, without what it called",
        ),
        (
            "run of main",
            "Percent of the path after “of”, with everything it called.",
            "percent of the whole profile, not of the path after “of”, with everything it called",
        ),
        (
            "self(run) of main",
            "Percent of the path after “of”, without what it called.",
            "percent of the whole profile, not of the path after “of”, without what it called",
        ),
    ],
)
def test_a_drilldown_says_what_its_numbers_are_percent_of(
    path: str, along: str, whole: str, tmp_path: Path
) -> None:
    made = drilldown_of(figures_of(tmp_path, {"a": [CYCLES]}, drilldowns=defined(path, path)))
    assert made.whole_profile is not None
    assert made.along_path.columns[0].meaning == path
    assert made.along_path.notes == (along,)
    assert (
        made.whole_profile.columns[0].meaning == f"the last function of {path}, anywhere: {whole}"
    )
    assert made.whole_profile.notes == (
        "The last function of each path, anywhere: percent of the whole profile.",
    )


def test_columns_of_different_percents_say_so_each(tmp_path: Path) -> None:
    paths = defined("db >> run", "self(run)")
    made = drilldown_of(figures_of(tmp_path, {"a": [CYCLES]}, drilldowns=paths))
    assert [column.meaning for column in made.along_path.columns] == [
        "db >> run: percent of the whole profile, with everything it called",
        "self(run): percent of the whole profile, without what it called",
    ]
    assert made.along_path.notes == ()


@pytest.mark.parametrize(
    ("numbers", "meanings"),
    [
        ("both", ["db >> run", "that share, times what the profile weighs for one transaction"]),
        ("cost", ["db >> run; times what the profile weighs for one transaction"]),
    ],
)
def test_a_column_of_costs_says_what_they_are_made_from(
    numbers: Literal["cost", "both"], meanings: list[str], tmp_path: Path
) -> None:
    (definition,) = defined("db >> run")
    costs = msgspec.structs.replace(definition, numbers=numbers)
    made = drilldown_of(figures_of(tmp_path, {"a": [CYCLES]}, drilldowns=(costs,)))
    assert [column.meaning for column in made.along_path.columns] == meanings


def test_columns_below_the_threshold_are_named(tmp_path: Path) -> None:
    columns = defined("db >> run", "db >> read", "read > run", threshold=50.0)
    made = drilldown_of(figures_of(tmp_path, {"a": [CYCLES]}, drilldowns=columns))
    for table in (made.along_path, made.whole_profile):
        assert table is not None
        assert [column.label for column in table.columns] == ["db >> run"]
        assert [[cell.text for cell in row.cells] for row in table.rows] == [["60.00"]]
        assert table.notes[1:] == (
            "Left out, as absent or below 50\N{NO-BREAK SPACE}% along the path in every release: "
            "db >> read (db >> read); read > run (read > run).",
        )


def test_a_drilldown_is_of_one_event(tmp_path: Path) -> None:
    figures = figures_of(
        tmp_path, {"a": [CYCLES], "b": [CLOCK], "c": [CYCLES]}, drilldowns=defined("db >> run")
    )
    table = drilldown_of(figures).along_path
    assert table.caption == "towers: share of cycles in select, along the call path"
    cells = [row.cells[0] for row in table.rows]
    assert [cell.text for cell in cells] == ["60.00", "–", "60.00"]
    assert cells[1].note == "its profile is of cpu-clock, and the others' of cycles (cycles)"
    assert cells[0].note == "matched run; 0.06000 cycles/transaction"


def test_long_matched_names_are_cut(tmp_path: Path) -> None:
    names = [f"f{at}" + "x" * 3_000 for at in range(6)]
    profile = profile_on_disk(tmp_path, "a", {("db", name): 1 for name in names})
    study = study_of([captured(tmp_path, "a")], [profile], {"drilldowns": defined("db > f*")})
    (cell,) = drilldown_of(Figures(study)).along_path.rows[0].cells
    assert len(cell.note) < 5 * LONGEST_NAME
    assert "and 2 more" in cell.note
