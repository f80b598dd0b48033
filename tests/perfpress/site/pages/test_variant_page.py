"""What the page of a variant decides: which tables, what it opens with, where else it leads."""

import json
from pathlib import Path
from typing import Any

import pytest
from perfpress.analysis.study.study import StepRun
from perfpress.site.pages import variant
from perfpress.site.pages.variant import some_releases, some_releases_page, variant_page
from perfpress.site.shapes.blocks import Table
from perfpress.site.shapes.pages import VariantPage
from report_samples import parts_of
from step_run_samples import step_run
from study_samples import captured, profile_on_disk, repeats, study_of

STEADY = [1000.0, 1001.0, 999.0, 1002.0, 998.0]
VARIANTS = {"socket2": "the default", "lab2": "the other", "lab3": "a third"}


def of_two(directory: Path) -> list[StepRun]:
    """Return two releases on the default variant, and the first alone on the others."""
    return [
        *repeats(directory, "a", STEADY),
        *repeats(directory, "b", [rate / 2 for rate in STEADY]),
        *repeats(directory / "lab2", "a", STEADY, changes={"host": "lab2"}),
        *repeats(directory / "lab3", "a", STEADY, changes={"host": "lab3"}),
    ]


def page(of: str, runs: list[StepRun], **report: Any) -> VariantPage:
    study = study_of(runs, report={"variants": VARIANTS, **report})
    return variant_page(parts_of(study), of)


def words(made: VariantPage) -> list[str]:
    return ["".join(phrase.text for phrase in sentence) for sentence in made.opening]


def test_it_leads_to_the_other_variants_and_not_to_itself(tmp_path: Path) -> None:
    related = page("lab2", of_two(tmp_path)).place.related
    assert [(link.label, link.url) for link in related] == [
        ("the default", "/reports/servers/@socket2/"),
        ("a third", "/reports/servers/@lab3/"),
    ]


def test_it_opens_with_the_newest_release_that_was_measured_on_it(tmp_path: Path) -> None:
    runs = of_two(tmp_path)
    verdict, where = words(page("socket2", runs))
    assert verdict.startswith("b, the newest release, against a: select is slower")
    assert where == "No profiles: nothing shows where the time went."
    assert words(page("lab2", runs)) == ["The newest release here is a."]


def test_of_two_hosts_with_a_release_each_it_says_that_they_are_not_compared(
    tmp_path: Path,
) -> None:
    runs = [
        step_run(tmp_path / release, changes={"release": release, "host": host})
        for release, host in (("a", "lab2"), ("b", "socket2"))
    ]
    variants = {"socket2": "the default", "lab2": "the other"}
    made = page("socket2", runs, variants=variants)
    assert words(made) == [
        "The newest release here is b. "
        "No comparison with a, which was measured elsewhere: on the other."
    ]
    assert made.picture is not None
    assert made.picture.caption == "Throughput relative to b on the default"
    assert [cell.text for cell in made.picture.rows[0].cells] == ["base"]


def test_a_variant_without_the_base_has_its_first_release_as_base_in_all_its_parts(
    tmp_path: Path,
) -> None:
    runs = [
        *repeats(tmp_path, "a", STEADY, changes={"host": "lab2"}),
        *repeats(tmp_path, "b", STEADY),
        *repeats(tmp_path, "c", [rate / 2 for rate in STEADY]),
    ]
    made = page("socket2", runs, variants={"socket2": "the default", "lab2": "the other"}, base="a")
    assert words(made)[0].startswith("c, the newest release, against b: select is slower")
    assert made.picture is not None
    assert made.picture.caption == "Throughput relative to b on the default"
    assert [cell.text for cell in made.picture.rows[0].cells] == ["base", "0.50"]
    (choice,) = (made.picture.choice,)
    assert choice is not None
    assert choice.base == "b"


def test_where_it_is_linked_to_it_says_what_it_is_of_and_how_things_stand(tmp_path: Path) -> None:
    runs = of_two(tmp_path)
    description = page("socket2", runs).place.description
    begins = "All releases and steps of Servers, the default. b, the newest release, against a: "
    assert description.startswith(begins)


def test_its_name_is_the_author_s_and_it_is_below_its_report(tmp_path: Path) -> None:
    place = page("lab2", of_two(tmp_path)).place
    assert place.path == "/reports/servers/@lab2/"
    assert place.heading == "All steps on the other"
    assert place.title == "All steps on the other, Servers"
    assert [link.url for link in place.breadcrumbs] == ["/reports/", "/reports/servers/"]


def test_with_rates_it_has_their_tables_and_without_any_what_was_profiled(tmp_path: Path) -> None:
    rates = page("socket2", of_two(tmp_path))
    assert rates.throughput is not None
    assert rates.picture is not None
    assert rates.picture.id == "against-base-socket2"
    assert rates.previous is not None
    assert rates.previous.id == "against-previous-socket2"
    run = captured(tmp_path, "a", step={"logs": []}, files={})
    profile = profile_on_disk(tmp_path / "profiles", "a")
    silent = variant_page(parts_of(study_of([run], [profile])), "socket2")
    assert (silent.throughput, silent.previous) == (None, None)
    assert silent.picture is not None
    assert silent.picture.id == "functions"


def test_the_medians_behind_the_ratios_are_beside_the_page(tmp_path: Path) -> None:
    study = study_of(of_two(tmp_path), report={"variants": VARIANTS})
    parts = parts_of(study)
    address = parts.base_values["socket2"]
    assert address == "/reports/servers/@socket2/values.json"
    written = json.loads((tmp_path / "site" / "static" / address.lstrip("/")).read_text())
    assert "1000" in json.dumps(written)


def of_many(
    directory: Path, monkeypatch: pytest.MonkeyPatch, on_a_page: int = 3
) -> list[VariantPage]:
    """Return the pages of a variant of seven releases, where tables have four of many."""
    monkeypatch.setattr(variant, "FEW", 4)
    monkeypatch.setattr(variant, "ON_A_PAGE", on_a_page)
    runs = [run for at in range(1, 8) for run in repeats(directory, f"r{at}", STEADY)]
    parts = parts_of(study_of(runs))
    pages = [some_releases_page(parts, each) for each in some_releases(parts, "socket2")]
    return [variant_page(parts, "socket2"), *pages]


def releases_of(table: Table | None) -> list[str]:
    assert table is not None
    return [column.label for column in table.columns]


def test_of_many_releases_its_tables_have_the_newest_and_its_picture_all(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole, *_ = of_many(tmp_path, monkeypatch)
    assert releases_of(whole.picture) == [f"r{at}" for at in range(1, 8)]
    for table in (whole.previous, whole.throughput):
        assert releases_of(table) == ["r1", "r5", "r6", "r7"]
        assert table is not None
        assert table.notes[-1] == "4 of 7 releases: the base and the newest."


def test_of_many_releases_all_have_pages_from_the_first_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole, *parts = of_many(tmp_path, monkeypatch)
    for tables in ([each.picture for each in parts], [each.throughput for each in parts]):
        assert list(map(releases_of, tables)) == [["r1", "r2", "r3"], ["r4", "r5", "r6"], ["r7"]]
    pages = whole.release_pages
    assert pages is not None
    assert [each.label for each in pages.pages] == ["from r1", "from r4", "from r7"]
    assert [each.place.path for each in parts] == [each.url for each in pages.pages]
    assert [each.place.path for each in parts] == [
        f"/reports/servers/@socket2/releases/{at}/" for at in (1, 2, 3)
    ]
    assert parts[1].place.previous == pages.pages[0]
    assert parts[2].place.next is None
    assert [each.release_pages for each in parts] == [pages] * 3
    notes = [note for each in parts if each.throughput for note in each.throughput.notes]
    assert not any("the newest" in note for note in notes)


def test_releases_that_fit_a_page_have_no_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (whole,) = of_many(tmp_path, monkeypatch, on_a_page=7)
    assert whole.release_pages is None
    assert releases_of(whole.throughput) == [f"r{at}" for at in range(1, 8)]
