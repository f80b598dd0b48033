"""What the compare page chooses from: cells, profiles, what they represent, former names."""

import datetime
from dataclasses import replace
from pathlib import Path

from perfpress.analysis.study.study import Study
from perfpress.base.toml.read import parse_toml
from perfpress.input.corrections.files import Correction, Rename
from perfpress.site.downloads.compare_data import compare_data
from perfpress.site.figures.graph_jobs import captures_jobs
from perfpress.site.report_figures import DiffKey, Figures
from perfpress.site.shapes.blocks import Graph
from perfpress.site.shapes.compare import CompareCost, CompareData, CompareProfile
from study_samples import STACKS, captured, cell_of, profile_on_disk, repeats, study_of


def study(directory: Path) -> Study:
    """Return a study of three releases; the last has numbers alone."""
    profiles = [profile_on_disk(directory, release, STACKS) for release in "ab"]
    runs = [captured(directory, "a"), captured(directory, "b", 500.0)]
    return study_of([*runs, *repeats(directory, "c", [10.0, 12.0])], profiles)


def data(made: Study) -> CompareData:
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
    return compare_data(Figures(made), graphs, captures, diffs, {"cycles": 1.5})


def test_a_cell_has_its_profile_with_what_its_weight_stands_for(tmp_path: Path) -> None:
    a, b, _ = data(study(tmp_path)).cells
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
    a, _, c = data(study(tmp_path)).cells
    assert (c.metrics["throughput"], c.missing, c.profiles) == (11.0, "", ())
    assert "throughput" not in a.metrics
    assert a.missing


def test_a_cell_has_its_verdicts_against_what_it_is_compared_with(tmp_path: Path) -> None:
    measured = [*repeats(tmp_path, "a", [10.0, 10.1]), *repeats(tmp_path, "b", [5.0, 5.1])]
    a, b = compare_data(Figures(study_of(measured)), {}, {}, {}, {}).cells
    assert (a.verdicts, b.verdicts) == ({}, {"a": "slower"})


def test_former_names_are_listed_by_slug_with_the_reason(tmp_path: Path) -> None:
    change = Rename(reason="Released.", what="release", old="A beta", new="a")
    document, _ = parse_toml("", "a.toml")
    assert document
    correction = Correction("servers", datetime.date(2026, 2, 2), "a.toml", change, document)
    made = replace(study(tmp_path), corrections=(correction,))
    (rename,) = data(made).renames
    assert (rename.old, rename.new) == ("a-beta", "a")
    assert rename.words == "Release “A beta” is now called “a”: Released."


def test_a_profile_is_published_with_the_weights_of_its_captures(tmp_path: Path) -> None:
    jobs = captures_jobs(Figures(study(tmp_path)))
    assert [cell.release for cell, _ in jobs] == ["a", "b"]
    request = jobs[cell_of("a"), "cycles"].request
    assert [each.exposure for each in request.captures] == [10.0]
