"""The pages of hosts: what ran there, newest first."""

from pathlib import Path
from typing import Any

import pytest
from perfpress.analysis.study.study import Study
from perfpress.site.pages import hosts as module
from perfpress.site.pages.hosts import HostRun, host_pages, host_runs
from perfpress.site.report_figures import Figures
from perfpress.site.shapes.blocks import Phrase, Row, Table
from perfpress.site.shapes.pages import HostPage
from perfpress.site.words.verdict_sentences import plain
from step_run_samples import step_run
from study_samples import study_of

NEW, OLD = "2026-02-02T10:00:00Z", "2025-02-02T23:30:00-01:00"
OPENINGS = {
    f"/reports/{report}/@{variant}/": (Phrase(text=f"{report} on {variant} changed."),)
    for report in ("servers", "others")
    for variant in ("socket2", "lab-1", "lab2")
}


def study(directory: Path, *runs: dict[str, Any], report: str = "servers") -> Study:
    made = [
        step_run(directory / report / str(at), 1000.0 + at, changes=changes)
        for at, changes in enumerate(runs)
    ]
    variants = {each.bundle.variant.slug: each.bundle.variant.label for each in made}
    facts = {"id": report, "title": report, "variants": variants}
    return study_of(made, report={**facts, "default_variant": next(iter(variants))})


def runs_of(*studies: Study) -> list[HostRun]:
    return [run for each in studies for run in host_runs(Figures(each))]


def page_of(*studies: Study) -> HostPage:
    (_, page), _ = host_pages(runs_of(*studies), OPENINGS)
    assert isinstance(page, HostPage)
    return page


def _text(table: Table, row: Row, column: str) -> str:
    return row.cells[[head.key for head in table.columns].index(column)].text


def test_a_host_opens_with_what_the_newest_release_of_each_report_changed(tmp_path: Path) -> None:
    first = page_of(
        study(tmp_path, {"host": "lab-1", "started": OLD}),
        study(tmp_path, {"host": "lab-1", "started": NEW}, report="others"),
    )
    assert plain(first.opening) == (
        "others. others on lab-1 changed. servers. servers on lab-1 changed."
    )
    assert first.opening[0][0].url == "/reports/others/"
    assert first.place.description == "others. others on lab-1 changed."


def test_each_release_of_a_host_has_the_counts_of_its_verdicts(tmp_path: Path) -> None:
    page = page_of(study(tmp_path, {"release": "17"}, {"release": "18"}))
    counts = {row.label: _text(page.releases, row, "base") for row in page.releases.rows}
    assert counts["17"] == "–"
    assert counts["18"].startswith("1 ")
    assert "report" not in [head.key for head in page.releases.columns]


def test_runs_and_releases_are_newest_first_and_undated_ones_last(tmp_path: Path) -> None:
    page = page_of(
        study(
            tmp_path,
            {"release": "17", "started": OLD},
            {"release": "16", "started": None},
            {"release": "18", "started": NEW},
        )
    )
    assert [row.label for row in page.releases.rows] == ["18", "17", "16"]
    assert [row.cells[0].text for row in page.runs.rows] == [
        "2026-02-02 10:00",
        "2025-02-03 00:30",
        "–",
    ]
    assert [(fact.label, fact.value) for fact in page.facts] == [
        ("Measured", "3 runs"),
        ("Newest", "2026-02-02 10:00 UTC"),
        ("Oldest", "2025-02-03 00:30 UTC"),
    ]


def test_undated_runs_stand_as_the_releases_of_their_report(tmp_path: Path) -> None:
    names = ("9", "10", "11")
    page = page_of(study(tmp_path, *({"release": name, "started": None} for name in names)))
    assert [row.label for row in page.releases.rows] == ["11", "10", "9"]
    assert page.runs.caption == "The runs, newest release first"
    assert page.releases.caption.endswith("newest release first")
    assert {row.cells[0].note for row in page.runs.rows} == {"not recorded"}
    assert (page.releases.notes, page.runs.notes) == ((), ())
    dated = {"release": "18", "started": NEW}
    both = page_of(study(tmp_path / "both", dated, {"release": "9", "started": None}))
    assert both.releases.notes == both.runs.notes
    assert both.runs.notes[0].startswith("Runs without a date come last")
    assert both.runs.caption == "The runs, newest run first"
    new = page_of(study(tmp_path / "dated", dated))
    assert (new.releases.notes, new.runs.notes) == ((), ())


def test_a_run_leads_to_its_row_on_the_page_of_its_release(tmp_path: Path) -> None:
    (row,) = page_of(study(tmp_path, {"release": "18", "started": NEW})).runs.rows
    assert row.url == f"/reports/servers/18/#runs.{row.label}"


def test_the_machine_is_shown_as_it_is_now_and_as_it_was(tmp_path: Path) -> None:
    page = page_of(
        study(
            tmp_path,
            {"started": OLD, "machine": {"cpus": 8, "kernel": "6.1"}},
            {"started": NEW, "machine": {"cpus": 8, "kernel": "6.8", "virtual": True}},
        )
    )
    assert page.machine is not None
    assert [[row.label, *(cell.text for cell in row.cells)] for row in page.machine.rows] == [
        ["cpus", "8", "the same"],
        ["kernel", "6.8", "6.1"],
        ["virtual", "true", "the same"],
    ]


def test_reports_of_one_host_share_its_page_and_hosts_are_listed(tmp_path: Path) -> None:
    (hosts, first, second), _ = host_pages(
        runs_of(
            study(tmp_path, {"host": "Lab 1", "started": OLD}, {"host": "lab2"}),
            study(tmp_path, {"host": "lab-1", "started": NEW}, report="others"),
        ),
        OPENINGS,
    )
    assert [page.place.path for page in (hosts, first, second)] == [
        "/hosts/",
        "/hosts/lab-1/",
        "/hosts/lab2/",
    ]
    assert isinstance(first, HostPage)
    assert {_text(first.releases, row, "report") for row in first.releases.rows} == {
        "servers",
        "others",
    }


def test_of_many_runs_the_newest_are_listed_and_the_rest_counted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "MOST_RUNS", 1)
    page = page_of(study(tmp_path, {"started": OLD}, {"started": NEW}))
    assert len(page.runs.rows) == 1
    assert page.runs.notes == ("1 older run on the pages of the releases.",)


def test_where_nothing_ran_there_is_no_list() -> None:
    assert host_pages([], {}) == ([], [])
