"""What the compare page chooses from: cells, profiles, what they represent, former names."""

import datetime
from dataclasses import replace
from pathlib import Path

import msgspec
from perfpress.analysis.study.study import Study
from perfpress.base.toml.read import parse_toml
from perfpress.input.corrections.files import Correction, Rename
from perfpress.site.directory import SiteDirectory
from perfpress.site.downloads.compare_data import compare_choices, publish_cells
from perfpress.site.figures.graph_jobs import captures_jobs
from perfpress.site.report_figures import DiffKey, Figures
from perfpress.site.shapes.blocks import Graph
from perfpress.site.shapes.compare import (
    CompareCell,
    CompareCells,
    CompareCost,
    CompareProfile,
)
from step_run_samples import step_run
from study_samples import STACKS, captured, cell_of, profile_on_disk, repeats, study_of


def study(directory: Path) -> Study:
    """Return a study of three releases; the last has numbers alone."""
    profiles = [profile_on_disk(directory, release, STACKS) for release in "ab"]
    runs = [captured(directory, "a"), captured(directory, "b", 500.0)]
    return study_of([*runs, *repeats(directory, "c", [10.0, 12.0])], profiles)


def cells(made: Study, directory: Path, step: str = "select") -> tuple[CompareCell, ...]:
    """Return what is published of a step."""
    graphs = {
        cell_of(release): (
            Graph(
                id=f"flamegraph-{release}-select",
                caption="",
                asset="",
                profile_url=f"/{release}/profile.json",
            ),
        )
        for release in "ab"
    }
    diffs = {DiffKey(cell_of("b"), "a"): "/b/vs/a/"}
    captures = {(cell_of("a"), "cycles"): "/a/captures.json.gz"}
    site = directory / "site"
    publish_cells(Figures(made), graphs, captures, diffs, SiteDirectory(site))
    [of_step] = (
        each.cells for each in compare_choices(Figures(made), {}).steps if each.label == step
    )
    [file] = site.rglob(of_step.lstrip("/"))
    return msgspec.json.decode(file.read_bytes(), type=CompareCells).cells


def test_a_cell_has_its_profile_with_what_its_weight_stands_for(tmp_path: Path) -> None:
    a, b, _ = cells(study(tmp_path), tmp_path)
    assert a.profiles == (
        CompareProfile(
            event="cycles",
            unit="cycles",
            url="/a/profile.json",
            captures="/a/captures.json.gz",
            main=True,
            work=a.profiles[0].work,
            operations=10_000.0,
            seconds=10.0,
            scope="the process under test",
            cost=CompareCost(value=0.1, factor=1, unit="cycles/transaction"),
            warnings=a.profiles[0].warnings,
        ),
    )
    assert b.profiles[0].captures == ""
    assert b.diffs == {"a": "/b/vs/a/"}
    assert a.diffs == {}


def test_a_cell_without_a_profile_has_its_numbers_and_one_without_a_rate_says_why(
    tmp_path: Path,
) -> None:
    a, _, c = cells(study(tmp_path), tmp_path)
    assert (c.metrics["throughput"], c.missing, c.profiles) == (11.0, "", ())
    assert "throughput" not in a.metrics
    assert a.missing


def test_a_cell_has_its_verdicts_against_what_it_is_compared_with(tmp_path: Path) -> None:
    measured = [*repeats(tmp_path, "a", [10.0, 10.1]), *repeats(tmp_path, "b", [5.0, 5.1])]
    a, b = cells(study_of(measured), tmp_path)
    assert (a.verdicts, b.verdicts) == ({}, {"a": "slower"})


def test_former_names_are_listed_by_slug_with_the_reason(tmp_path: Path) -> None:
    change = Rename(reason="Released.", what="release", old="A beta", new="a")
    document, _ = parse_toml("", "a.toml")
    assert document
    correction = Correction("servers", datetime.date(2026, 2, 2), "a.toml", change, document)
    made = replace(study(tmp_path), corrections=(correction,))
    (rename,) = compare_choices(Figures(made), {}).renames
    assert (rename.old, rename.new) == ("a-beta", "a")
    assert rename.words == "Release “A beta” is now called “a”: Released."


def of_steps(directory: Path, rates: dict[str, dict[str, float]]) -> Study:
    """Return a study of releases, each with the rates of its steps."""
    runs = [
        step_run(
            directory / f"{release}-{step}", rate, step={"name": step}, changes={"release": release}
        )
        for release, own in rates.items()
        for step, rate in own.items()
    ]
    return study_of(runs, report={"steps": ("select", "insert")})


def test_the_step_that_lost_most_throughput_is_compared_first(tmp_path: Path) -> None:
    slower = {"a": {"select": 100.0, "insert": 100.0}, "b": {"select": 98.0, "insert": 40.0}}
    assert compare_choices(Figures(of_steps(tmp_path / "1", slower)), {}).step == "insert"
    alone = {"a": {"select": 100.0}, "b": {"insert": 40.0}}
    assert compare_choices(Figures(of_steps(tmp_path / "2", alone)), {}).step == "select"


def test_of_the_steps_those_with_a_profile_are_compared_first(tmp_path: Path) -> None:
    made = of_steps(tmp_path, {"a": {"select": 100.0, "insert": 100.0}, "b": {"insert": 40.0}})
    profiled = replace(made, profiles={cell_of("a"): (profile_on_disk(tmp_path, "a"),)})
    assert compare_choices(Figures(profiled), {}).step == "select"


def test_a_file_has_the_cells_of_its_step_alone(tmp_path: Path) -> None:
    rates = {"a": {"select": 100.0, "insert": 100.0}, "b": {"insert": 40.0}}
    made = of_steps(tmp_path, rates)
    of_insert = cells(made, tmp_path, "insert")
    assert [(each.release, each.step) for each in of_insert] == [("a", "insert"), ("b", "insert")]


def test_a_profile_is_published_with_the_weights_of_its_captures(tmp_path: Path) -> None:
    jobs = captures_jobs(Figures(study(tmp_path)))
    assert [cell.release for cell, _ in jobs] == ["a", "b"]
    request = jobs[cell_of("a"), "cycles"].request
    assert [each.exposure for each in request.captures] == [10.0]
