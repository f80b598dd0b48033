"""What a release is compared with: the base, and the one before that has the variant."""

from collections.abc import Mapping
from pathlib import Path

import pytest
from perfpress.analysis.study.profiles import CellKey
from perfpress.analysis.study.study import Study
from perfpress.analysis.verdicts.states import State
from perfpress.input.report.front_matter import Release
from perfpress.site.downloads.verdict_choice import chosen_records
from perfpress.site.downloads.verdict_records import record_of, verdicts_on
from perfpress.site.report_figures import Figures
from perfpress.site.tables.rate_cells import comparison_columns
from perfpress.site.words.step_headline import step_headline
from perfpress.site.words.verdict_sentences import headline, plain, release_sentences
from step_run_samples import step_run
from study_samples import study_of

ALONE, BUSY = "socket2", "socket2--40clients"
RATES = {
    ALONE: {"a": 1000.0, "b": 990.0, "c": 985.0, "d": 980.0},
    BUSY: {"a": 9000.0, "b": 8900.0, "d": 4000.0},
}
"""Nobody measured release c with 40 clients, and nobody release x."""


def study_with(
    directory: Path, of: Mapping[str, Mapping[str, float]] = RATES, **branches: str
) -> Study:
    """Return a study of all releases, those named on a branch."""
    runs = [
        step_run(
            directory / f"{variant}-{release}",
            rate,
            changes={"release": release, **({"clients": 40} if variant == BUSY else {})},
        )
        for variant, rates in of.items()
        for release, rate in rates.items()
    ]
    releases = tuple(Release(id=each, branch=branches.get(each)) for each in "abcxd")
    variants = {ALONE: "one client", BUSY: "40 clients"}
    return study_of(runs, report={"releases": releases, "variants": variants})


@pytest.fixture
def study(tmp_path: Path) -> Study:
    return study_with(tmp_path)


def test_it_is_the_last_release_before_that_has_runs_of_the_variant(study: Study) -> None:
    assert study.previous("d", (ALONE,)) == "c"
    assert study.previous("d", (BUSY,)) == "b"
    assert study.previous("d", (BUSY, ALONE)) == "c"
    assert study.previous("a", (BUSY,)) is None
    assert study.compared_with("d", BUSY) == ("a", "b")
    assert study.compared_with("b", BUSY) == ("a",), "once, where previous is the base"
    assert study.compared_with("a", BUSY) == ()


def test_it_is_of_the_same_branch(tmp_path: Path) -> None:
    study = study_with(tmp_path, a="1", b="2", c="2", x="1", d="1")
    assert study.previous("d", (BUSY,)) == "a"
    assert study.previous("b", (BUSY,)) is None


def test_verdicts_of_each_variant_are_against_its_own_previous(study: Study) -> None:
    found = Figures(study).verdicts
    assert {
        cell.variant: [base for each, base in found if each == cell]
        for cell, _ in found
        if cell.release == "d"
    } == {ALONE: ["a", "c"], BUSY: ["a", "b"]}
    busy = found[CellKey("d", BUSY, "select"), "b"]
    assert busy.state is State.SLOWER_ONE_RUN
    assert busy.comparison is not None
    assert busy.comparison.ratio == pytest.approx(4000 / 8900)


def test_pages_name_and_compare_that_one(study: Study) -> None:
    figures = Figures(study)
    cell = CellKey("d", BUSY, "select")
    cells = {each.key: each.cell(cell) for each in comparison_columns(figures, [cell])}
    assert cells["previous"].text == "0.449"
    assert cells["previous-verdict"].text == "slower, one run"
    assert "slower than b (" in plain((step_headline(figures, cell),))
    sentences = plain(release_sentences(figures, "d"))
    assert "40 clients: against b, select is slower" in sentences
    assert "against c" not in sentences.partition("40 clients")[2]


def test_records_for_machines_are_of_that_one(study: Study) -> None:
    records = chosen_records([study], None, "d", "previous")
    assert {each.variant: each.against for each in records} == {ALONE: "c", BUSY: "b"}


def test_a_variant_that_the_base_did_not_run_has_its_own_first_release_as_base(
    tmp_path: Path,
) -> None:
    rates = {ALONE: RATES[ALONE], BUSY: {"b": 9000.0, "c": 8900.0, "d": 4000.0}}
    figures = Figures(study_with(tmp_path, rates))
    cell = CellKey("d", BUSY, "select")
    assert [figures.study.base_of(each) for each in (ALONE, BUSY)] == ["a", "b"]
    assert {base for each, base in figures.verdicts if each == cell} == {"b", "c"}
    columns = {each.key: each for each in comparison_columns(figures, [cell])}
    assert columns["base-verdict"].label == "Against b"
    assert columns["base-verdict"].cell(cell).text == "slower, one run"
    assert columns["base-verdict"].cell(CellKey("b", BUSY, "select")).text == "base"
    sentences = plain(release_sentences(figures, "d"))
    assert "40 clients: against b, select is slower in one run, ×0.444." in sentences
    assert plain((headline(figures, BUSY),)).startswith("d, the newest release, against b: ")
    verdicts = (
        each for release in figures.study.measured for each in verdicts_on(figures, release)
    )
    records = [record_of(figures, *each) for each in verdicts if each[1].cell.variant == BUSY]
    assert [(each.release, each.against) for each in records if each.is_against_base] == [
        ("c", "b"),
        ("d", "b"),
    ]


def test_a_step_is_compared_with_the_last_release_that_ran_it(tmp_path: Path) -> None:
    """Release c ran select alone."""
    rates = {"a": 1000.0, "b": 990.0, "c": None, "d": 500.0}
    runs = [
        step_run(
            tmp_path / f"{step}-{release}", rate, step={"name": step}, changes={"release": release}
        )
        for release, of_scan in rates.items()
        for step, rate in (("select", 1000.0), ("scan", of_scan))
        if rate is not None
    ]
    releases = tuple(Release(id=each) for each in "abcd")
    study = study_of(runs, report={"releases": releases, "steps": ("select", "scan")})
    figures = Figures(study)
    scan, select = CellKey("d", ALONE, "scan"), CellKey("d", ALONE, "select")
    assert (study.previous_of(scan), study.previous_of(select)) == ("b", "c")
    assert study.bases_of(scan) == ("a", "c", "b")
    assert study.bases_of(select) == ("a", "c")
    against_b = figures.verdicts[scan, "b"]
    assert against_b.state is State.SLOWER_ONE_RUN
    assert against_b.why.startswith("b is the last release before that ran the step; one run on")
    why = figures.verdicts[scan, "c"].why
    assert why == "c: no run; b is the last release before that ran the step"
    assert (select, "b") not in figures.verdicts
    columns = {each.key: each for each in comparison_columns(figures, [select, scan])}
    assert columns["previous-verdict"].cell(scan).text == "slower, one run"
    assert columns["previous"].cell(scan).text == "0.505"
    assert "49.5 % slower than b (" in plain((step_headline(figures, scan),)).replace(
        "\N{NO-BREAK SPACE}", " "
    )
    assert plain(release_sentences(figures, "d")).endswith(
        " Against b, the last release before that ran it, scan is slower in one run, ×0.505."
    )
    asked_for = chosen_records([study], None, "d", "previous")
    assert [(each.step, each.against) for each in asked_for] == [("select", "c"), ("scan", "b")]


def test_a_step_that_the_base_did_not_run_names_what_it_is_compared_with(tmp_path: Path) -> None:
    runs = [
        step_run(tmp_path / f"{step}-{release}", step={"name": step}, changes={"release": release})
        for release, steps in {"a": ("select",), "b": ("select", "scan"), "c": ("scan",)}.items()
        for step in steps
    ]
    releases = tuple(Release(id=each) for each in "abc")
    found = Figures(
        study_of(runs, report={"releases": releases, "steps": ("select", "scan")})
    ).verdicts
    scan = CellKey("c", ALONE, "scan")
    assert found[scan, "a"].why == "a: no run; b is the last release before that ran the step"
    assert found[scan, "b"].comparison is not None
    assert found[CellKey("b", ALONE, "scan"), "a"].why == "a: no run"
