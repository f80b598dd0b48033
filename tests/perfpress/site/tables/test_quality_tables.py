"""How good a profile is, as its page says it: facts, warnings in words, tables over releases."""

from pathlib import Path
from typing import Any

import pytest
from perfpress.analysis.profiles.captures import Spread
from perfpress.analysis.profiles.quality import Quality
from perfpress.analysis.study.profiles import CellKey
from perfpress.base.display import NO_VALUE
from perfpress.input.report.front_matter import FunctionKindNames
from perfpress.site.nearby_releases import cells_of_step
from perfpress.site.report_figures import Figures
from perfpress.site.shapes.blocks import Table
from perfpress.site.tables.quality import code_tables, profiles_of_release, quality_table
from perfpress.site.words.quality_facts import quality_facts
from perfpress.site.words.quality_warnings import warnings_of
from study_samples import captured, cell_of, profile_on_disk, study_of

GOOD: dict[str, Any] = {
    "captures": 6,
    "partial_captures": 0,
    "seconds": 18.0,
    "scopes": ("process",),
    "event": "cpu-clock",
    "unit": "CPU ns",
    "frequencies": (499.0,),
    "samples": 1_000,
    "lost": 10,
    "skipped": (),
    "shares_only": "",
    "unknown": 0.05,
    "minified": 0.2,
    "no_start": 0.1,
    "cut_off": 0.1,
    "exited_threads": 0,
    "exited": 0.0,
    "by_class": (("user", 0.75), ("kernel", 0.25)),
    "by_library": (),
    "by_kind": (("allocator", 0.125), ("memory", 0.0), ("locks", 0.0), ("other", 0.875)),
    "spread": None,
}


def quality(**changes: Any) -> Quality:
    return Quality(**(GOOD | changes))


def test_a_profile_within_the_limits_has_no_warning() -> None:
    assert warnings_of(quality()) == ()


@pytest.mark.parametrize(
    ("changes", "short", "words"),
    [
        ({"lost": 11}, "lost samples", "1.1\N{NO-BREAK SPACE}% of the samples were lost"),
        ({"samples": 999, "lost": 0}, "few samples", "999 samples only"),
        ({"unknown": 0.051}, "unknown code", "5.1\N{NO-BREAK SPACE}% of the weight"),
        ({"minified": 0.21}, "minified names", "21.0\N{NO-BREAK SPACE}% of the weight"),
        ({"no_start": 0.101}, "broken stacks", "do not reach the start of their thread"),
        ({"cut_off": 0.2}, "cut stacks", "127 frames"),
        ({"partial_captures": 2}, "cut captures", "2 of 6 captures ended too early"),
        ({"shares_only": "the ring is full"}, "shares only", "no cost: the ring is full"),
    ],
)
def test_each_poor_number_is_explained(changes: dict[str, Any], short: str, words: str) -> None:
    (warning,) = warnings_of(quality(**changes))
    assert warning.short == short
    assert words in warning.text


def test_what_is_not_known_is_no_warning() -> None:
    assert warnings_of(quality(samples=None, lost=500, no_start=None)) == ()


def facts_of(**changes: Any) -> dict[str, tuple[str, str]]:
    return {fact.label: (fact.value, fact.note) for fact in quality_facts(quality(**changes))}


def test_facts_are_in_plain_words() -> None:
    spread = Spread(6, 0.9e9, 1e9, 1.2e9)
    facts = facts_of(
        spread=spread, exited_threads=3, exited=0.02, partial_captures=1, skipped=(("no stack", 2),)
    )
    percent = "\N{NO-BREAK SPACE}%"
    assert facts["Captures"] == ("6", "1 of them ended too early")
    assert facts["Captured"] == ("18 s", "the process under test")
    assert facts["Event"] == ("cpu-clock", "499 samples a second asked for")
    assert facts["Samples"] == ("1,000", "")
    assert facts["Lost"] == ("10", f"1.0{percent} of the samples")
    assert facts["Left out"] == ("2 × no stack", "")
    assert facts["Spread"] == (
        f"30.0{percent}",
        f"\N{MINUS SIGN}10.0{percent} to +20.0{percent} of the median capture, "
        "1.000 s of CPU time a second",
    )
    assert facts["Unnamed threads"][1].endswith(f"2.0{percent} of the weight")
    assert facts["Where the code is"][0] == f"75.0{percent} program, 25.0{percent} kernel"
    assert facts["What it does"][0] == f"12.5{percent} allocator, 87.5{percent} other"


def test_libraries_are_listed_as_far_as_there_is_room_for() -> None:
    percent = "\N{NO-BREAK SPACE}%"
    facts = facts_of(by_library=(("postgres", 0.6), ("a\u202eb.so", 0.25)))
    assert facts["Libraries"] == (f"60.0{percent} postgres, 25.0{percent} a\ufffdb.so", "")
    many = tuple((f"lib{at}.so", 0.05) for at in range(10))
    assert facts_of(by_library=many)["Libraries"][0].endswith("lib7.so and 2 more")
    assert "Libraries" not in facts_of()


def test_what_is_not_known_says_so() -> None:
    facts = facts_of(seconds=None, scopes=(), samples=None, no_start=None, frequencies=())
    assert facts["Captured"] == (NO_VALUE, "the process or the whole host, which is not stated")
    assert facts["Samples"][0] == facts["Spread"][0] == NO_VALUE
    assert "fewer than 3" in facts["Spread"][1]
    assert facts["No thread start"] == (
        NO_VALUE,
        "no stack begins where a thread is known to start",
    )
    assert facts["Lost"] == ("10", "")
    assert "Left out" not in facts


def test_waits_are_not_sampled_and_are_no_code() -> None:
    facts = facts_of(event="wait", unit="ps", frequencies=())
    assert facts["Event"] == ("wait", "")
    assert not facts.keys() & {"Where the code is", "What it does"}


def figures_of(directory: Path, **report: Any) -> Figures:
    profiles = [
        profile_on_disk(
            directory, "a", {("db", "main", "run"): 6, ("db", "main", "malloc_[k]"): 4}
        ),
        profile_on_disk(directory, "b", {("db", "main", "run"): 5, ("db", "[unknown]"): 5}),
        profile_on_disk(directory, "b", event="instructions", unit="instructions"),
    ]
    return Figures(study_of([captured(directory, each) for each in "ab"], profiles, report))


def cells(figures: Figures) -> tuple[CellKey, ...]:
    return cells_of_step(figures.study, "socket2", "select")


def texts(table: Table, row: int) -> dict[str, str]:
    cells = zip(table.columns, table.rows[row].cells, strict=True)
    return {column.key: cell.text for column, cell in cells}


def test_profiles_are_side_by_side_over_the_releases(tmp_path: Path) -> None:
    figures = figures_of(tmp_path)
    table = quality_table(figures, cells(figures), "b")
    assert table is not None
    labels = ["a, cycles", "b, cycles", "b, instructions"]
    assert [row.label for row in table.rows] == labels
    assert [row.current for row in table.rows] == [False, True, True]
    good, poor = texts(table, 0), texts(table, 1)
    assert (good["warnings"], poor["warnings"]) == ("none", "unknown code, broken stacks")
    assert (good["unknown"], poor["unknown"], poor["no-start"]) == ("0.0", "50.0", "50.0")
    assert (good["captures"], good["seconds"], good["spread"]) == ("1", "10", NO_VALUE)
    warned = table.rows[1].cells[0]
    assert "50.0\N{NO-BREAK SPACE}% of the weight is in code without a symbol" in warned.note


def test_kinds_of_code_are_side_by_side_over_the_releases(tmp_path: Path) -> None:
    figures = figures_of(tmp_path, function_kinds=FunctionKindNames(locks=("run",)))
    where, what = code_tables(figures, cells(figures), None)
    assert [column.label for column in where.columns] == ["Program", "Kernel"]
    assert texts(where, 0) == {"user": "60.0", "kernel": "40.0"}
    assert texts(what, 0) == {"allocator": "40.0", "memory": "0.0", "locks": "60.0", "other": "0.0"}
    assert code_tables(figures, (), None) == ()
    waits = profile_on_disk(tmp_path, "a", event="wait", unit="ps")
    run = captured(tmp_path / "2", "a", capture={"frequency": 99.0})
    only_waits = Figures(study_of([run], [waits]))
    assert code_tables(only_waits, cells(only_waits), None) == ()
    assert only_waits.qualities[cell_of("a"), "wait"].frequencies == ()


def test_a_release_lists_all_its_profiles(tmp_path: Path) -> None:
    figures = figures_of(tmp_path)
    table = profiles_of_release(figures, "b")
    assert table is not None
    assert [row.label for row in table.rows] == ["select, cycles", "select, instructions"]
    assert table.rows[0].note.startswith("10,000 operations")
    nothing = Figures(study_of([captured(tmp_path / "2", "a")]))
    assert profiles_of_release(nothing, "a") is None


def test_profiles_of_several_variants_say_which(tmp_path: Path) -> None:
    figures = figures_of(tmp_path, variants={"socket2": "two sockets", "other": "other"})
    table = profiles_of_release(figures, "a")
    assert table is not None
    assert [row.label for row in table.rows] == ["select, two sockets"]
    assert (table.row_head, table.caption) == ("Step", "Quality of all profiles, event cycles")
    assert figures.qualities[cell_of("a"), "cycles"].captures == 1
