"""Configurations that a report declares the same are one series, on one page."""

from collections.abc import Sequence
from pathlib import Path

import pytest
from bundle_samples import accepted, good_bundle, pgbench_log
from perfpress.analysis.bundle_summary.earlier_runs import EarlierRuns
from perfpress.analysis.environment.environment import compare_environments
from perfpress.analysis.study.profiles import CellKey
from perfpress.analysis.study.study import Study, read_studies
from perfpress.analysis.verdicts.states import State
from perfpress.base.cache import Cache
from perfpress.input.corrections.files import Supersede, correction_toml
from perfpress.site.pages.moved_pages import moved_pages
from perfpress.site.report_figures import Figures
from perfpress.site.shapes.pages import Place
from perfpress.site.tables.runs import variant_cell

MEASURED = (("15", "x10a"), ("16", "x10a"), ("17", "x10a"), ("17", "x10b"), ("18", "x10b"))
RATES = (1000.0, 1001.0, 1002.0, 1003.0, 500.0)


def study_with(directory: Path, declared: str) -> Study:
    """Return a study whose configuration has another name from release 17 on."""
    for (release, config), rate in zip(MEASURED, RATES, strict=True):
        changes = {"release": release, "config": config}
        accepted(directory / "results", changes, {"select.txt": pgbench_log(rate)})
    text = directory / "content" / "reports" / "postgres-releases" / "_index.md"
    text.parent.mkdir(parents=True)
    text.write_text(f"+++\n{declared}\n+++\n")
    return read_study(directory)


def read_study(directory: Path) -> Study:
    (study,), problems = read_studies(
        directory / "results",
        directory / "corrections",
        directory / "content",
        Cache(directory / "cache"),
        1,
        lambda _: None,
    )
    assert problems == []
    return study


@pytest.fixture
def study(tmp_path: Path) -> Study:
    return study_with(tmp_path, 'same_config = [["x10a", "x10b"]]')


def test_verdicts_go_across_the_names(study: Study) -> None:
    verdicts = Figures(study).verdicts
    last = CellKey("18", "socket2--x10a", "select")
    assert {cell.variant for cell, _ in verdicts} == {"socket2--x10a"}
    assert verdicts[last, "15"].state in (State.SLOWER, State.SLOWER_ONE_RUN)
    assert verdicts[last, "17"].state in (State.SLOWER, State.SLOWER_ONE_RUN)
    assert study.releases_with("socket2--x10a", "select") == ("15", "16", "17", "18")


def test_a_run_under_one_name_takes_the_place_of_one_under_the_other(tmp_path: Path) -> None:
    before = study_with(tmp_path, 'same_config = [["x10a", "x10b"]]')
    by_config = {
        run.bundle.run.config: run.bundle.run_id
        for run in before.runs
        if run.bundle.run.release == "17"
    }
    old, new = by_config["x10a"], by_config["x10b"]
    place = tmp_path / "corrections" / "postgres-releases" / "2026-11-26-supersede.toml"
    place.parent.mkdir(parents=True)
    change = Supersede(run=old, replacement=new, reason="x10a was measured beside a backup")
    place.write_text(correction_toml(change))
    study = read_study(tmp_path)
    cell = CellKey("17", "socket2--x10a", "select")
    assert Figures(study).summaries["throughput"][cell].median == 1003.0
    (replaced,) = (run for run in study.runs if run.status == "superseded")
    assert replaced.bundle.run_id == old


def test_a_new_run_is_checked_against_the_last_release_under_the_other_name(
    tmp_path: Path,
) -> None:
    data = tmp_path / "site"
    study_with(data, 'same_config = [["x10a", "x10b"]]')
    results = data / "data" / "results"
    (data / "data").mkdir()
    (data / "results").rename(results)
    changes = {"release": "16", "config": "x10b"}
    new = good_bundle(tmp_path / "new", changes, {"select.txt": pgbench_log(900.0)})
    last = EarlierRuns(new, results).last("select")
    assert last is not None
    assert (last.id, last.rates) == ("15", (1000.0,))


def test_both_names_measured_on_one_release_are_repeats(study: Study) -> None:
    assert len(study.of_cell(CellKey("17", "socket2--x10a", "select"))) == 2


def test_without_the_declaration_they_are_two(tmp_path: Path) -> None:
    study = study_with(tmp_path, "")
    assert study.releases_with("socket2--x10a", "select") == ("15", "16", "17")
    assert study.releases_with("socket2--x10b", "select") == ("17", "18")


def test_the_names_stay_in_the_environment(study: Study) -> None:
    sides = [[run.bundle for run in study.runs_of(each)] for each in ("15", "18")]
    (difference,) = compare_environments(*sides).differences
    assert (difference.name, difference.base, difference.after) == ("config", ("x10a",), ("x10b",))
    assert compare_environments(sides[0], sides[0]).differences == ()


def test_a_run_shows_its_own_name(study: Study) -> None:
    notes = [variant_cell(study, run).note for run in study.runs_of("17")]
    assert sorted(notes) == ["run.toml: config = x10a", "run.toml: config = x10b"]


def former(study: Study, paths: Sequence[str]) -> dict[str, str]:
    places = [Place(path=each, title="", heading="", description="") for each in paths]
    return {each.place.path: each.now.url for each in moved_pages(places, study)}


def test_addresses_of_the_former_variant_lead_to_the_page(study: Study) -> None:
    report = "/reports/postgres-releases/"
    paths = ["@socket2--x10a/", "15/select/", "18/select/", "18/select/vs/15/", "steps/select/"]
    found = former(study, [report + path for path in paths])
    assert found == {
        f"{report}{own}": report + now
        for own, now in {
            "@socket2--x10b/": "@socket2--x10a/",
            # x10a was the default variant; before, x10b may have been.
            "15/select/@socket2--x10a/": "15/select/",
            "18/select/@socket2--x10b/": "18/select/",
            "18/select/@socket2--x10b/vs/15/": "18/select/vs/15/",
            "steps/select/@socket2--x10a/": "steps/select/",
            "steps/select/@socket2--x10b/": "steps/select/",
        }.items()
    }
