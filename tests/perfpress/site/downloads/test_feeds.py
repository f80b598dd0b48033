"""Feeds of changes: valid Atom, ids that stay, one run never called confirmed."""

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any
from uuid import UUID
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st
from perfpress.analysis.study.study import Study
from perfpress.analysis.verdicts.verdicts import Verdict
from perfpress.base.toml.read import Document
from perfpress.input.corrections.files import Correction, Rename
from perfpress.input.report.front_matter import Release
from perfpress.site.addresses import Identity
from perfpress.site.downloads import feeds
from perfpress.site.downloads.feeds import (
    LONG_AGO,
    MOST_ENTRIES,
    FeedEntry,
    feed_entries,
    report_feed,
    site_feed,
)
from perfpress.site.report_figures import Figures
from perfpress.site.words.step_headline import step_headline
from perfpress.site.words.verdict_sentences import plain
from study_samples import cell_of, repeats, study_of

SITE = Identity("Lab", "https://example.org/perf/")
STEADY = [1000.0, 1001.0, 999.0, 1002.0, 998.0]
SLOW = [0.8 * rate for rate in STEADY]
NAMESPACE = {"a": "http://www.w3.org/2005/Atom"}
INSTANT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ")


def study(directory: Path, after: Sequence[float] = SLOW, **facts: Any) -> Study:
    return study_of(
        [*repeats(directory, "17", STEADY), *repeats(directory, "18", after)], report=facts
    )


def entry(name: str = "x", **facts: Any) -> FeedEntry:
    known = {"title": "t", "updated": LONG_AGO, "summary": "s", "address": "/a/"}
    return FeedEntry(**{"name": name, "category": "confirmed", **known, **facts})


def read(feed: bytes) -> ElementTree.Element:
    """Parse a feed and check what RFC 4287 asks of one."""
    root = ElementTree.fromstring(feed)
    assert root.tag == f"{{{NAMESPACE['a']}}}feed"
    entries = root.findall("a:entry", NAMESPACE)
    for element in (root, *entries):
        for name in ("id", "title", "updated"):
            (only,) = element.findall(f"a:{name}", NAMESPACE)
            assert only.text
        assert INSTANT.fullmatch(element.findtext("a:updated", "", NAMESPACE))
        assert UUID(element.findtext("a:id", "", NAMESPACE))
        links = element.findall("a:link", NAMESPACE)
        assert [link.get("type") for link in links if link.get("rel") == "alternate"] == [
            "text/html"
        ]
        assert all(link.get("href") for link in links)
    assert len(root.findall("a:link[@rel='self']", NAMESPACE)) == 1
    assert root.findtext("a:author/a:name", "", NAMESPACE)
    ids = [each.findtext("a:id", "", NAMESPACE) for each in (root, *entries)]
    assert len(set(ids)) == len(ids)
    return root


def ids(entries: Sequence[FeedEntry]) -> list[str | None]:
    root = read(site_feed(SITE, entries))
    return [each.text for each in root.findall("a:entry/a:id", NAMESPACE)]


def test_a_change_is_reported_in_words_with_its_evidence_and_its_page(tmp_path: Path) -> None:
    made = study(tmp_path)
    root = read(report_feed(SITE, made.report, feed_entries(Figures(made), {})))
    (only,) = root.findall("a:entry", NAMESPACE)
    assert only.findtext("a:title", "", NAMESPACE) == (
        f"select on 18: {plain((step_headline(Figures(made), cell_of('18')),))}"
    )
    assert only.findtext("a:summary", "", NAMESPACE).startswith("Servers. ")
    (link,) = only.findall("a:link", NAMESPACE)
    assert link.get("href") == "https://example.org/perf/reports/servers/18/select/"
    (own,) = root.findall("a:link[@rel='self']", NAMESPACE)
    assert own.get("href") == "https://example.org/perf/reports/servers/feed.xml"


@pytest.mark.parametrize(("after", "category"), [(SLOW, "confirmed"), ([500.0], "one run")])
def test_what_one_run_shows_is_said_to_be_that(
    tmp_path: Path, after: list[float], category: str
) -> None:
    (only,) = feed_entries(Figures(study(tmp_path, after)), {})
    assert only.category == category
    assert ("one run" in only.title) == (category == "one run")


def test_no_change_is_no_news(tmp_path: Path) -> None:
    assert feed_entries(Figures(study(tmp_path, [rate * 1.0005 for rate in STEADY])), {}) == []


def test_an_id_outlives_renames_and_repeats(tmp_path: Path) -> None:
    first = study_of([*repeats(tmp_path, "17", STEADY), *repeats(tmp_path, "18-beta", SLOW)])
    rename = Correction(
        report="servers",
        date=date(2026, 2, 2),
        shown_as="",
        change=Rename(what="release", old="18-beta", new="18", reason="released"),
        document=Document("", "", {}),
    )
    renamed = replace(study(tmp_path / "b", [*SLOW, 801.5]), corrections=(rename,))
    assert ids(feed_entries(Figures(first), {})) == ids(feed_entries(Figures(renamed), {}))
    other = study(tmp_path / "c", id="others")
    assert ids(feed_entries(Figures(first), {})) != ids(feed_entries(Figures(other), {}))


def test_the_newest_runs_come_first_and_undated_ones_have_the_releases_date(
    tmp_path: Path,
) -> None:
    when = datetime(2026, 2, 2, 10, tzinfo=UTC)
    undated = {"changes": {"started": None}}
    made = study_of(
        [
            *repeats(tmp_path, "16", STEADY, **undated),
            *repeats(tmp_path, "17", SLOW, **undated),
            *repeats(tmp_path, "18", STEADY, changes={"started": when.isoformat()}),
        ],
        report={
            "releases": (
                Release(id="16"),
                Release(id="17", date=date(2025, 1, 1)),
                Release(id="18"),
            )
        },
    )
    assert [each.updated for each in feed_entries(Figures(made), {})] == [
        when,
        datetime(2025, 1, 1, tzinfo=UTC),
    ]


def test_words_are_written_for_the_newest_changes_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rates = {"16": STEADY, "17": SLOW, "18": STEADY, "19": SLOW}
    figures = Figures(study_of([run for id in rates for run in repeats(tmp_path, id, rates[id])]))
    first, *more = feed_entries(figures, {})
    assert more
    written: list[Verdict] = []

    def noted(_: Figures, verdict: Verdict) -> str:
        written.append(verdict)
        return ""

    monkeypatch.setattr(feeds, "MOST_ENTRIES", 1)
    monkeypatch.setattr(feeds, "verdict_line", noted)
    assert [each.name for each in feed_entries(figures, {})] == [first.name]
    assert len(written) == 1


@pytest.mark.parametrize("days", [(1, 2, 3, 4, 5), (5, 4, 3, 2, 1), (3, 1, 5, 2, 4)])
def test_the_newest_changes_are_found_in_whatever_order_releases_are_measured(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, days: Sequence[int]
) -> None:
    runs = [
        run
        for at, day in enumerate(days)
        for run in repeats(
            tmp_path,
            f"{at}",
            [0.7**at * rate for rate in STEADY],
            changes={"started": f"2026-02-{day:02}T10:00:00Z" if at else None},
        )
    ]
    figures = Figures(study_of(runs))
    everything = feed_entries(figures, {})
    assert len(everything) > 3
    for most in range(1, len(everything)):
        monkeypatch.setattr(feeds, "MOST_ENTRIES", most)
        assert feed_entries(figures, {}) == everything[:most]


def test_a_feed_is_bounded_and_an_empty_one_is_valid() -> None:
    many = [entry(str(at)) for at in range(MOST_ENTRIES + 1)]
    assert len(ids(many)) == MOST_ENTRIES
    assert ids([]) == []


@given(st.text())
def test_any_name_leaves_the_feed_well_formed(name: str) -> None:
    read(site_feed(Identity(f"t{name}", "/perf/"), [entry(title=f"t{name}", summary=name)]))


def test_a_level_change_is_one_entry_for_all_its_steps(tmp_path: Path) -> None:
    runs = [
        run
        for at in range(8)
        for step in ("a", "b")
        for run in repeats(
            tmp_path,
            f"{at}",
            [500.0 + at + 500 * (at < 4)],
            step={"name": step},
            changes={"machine": {"kernel": "6.1" if at < 4 else "6.8"}},
        )
    ]
    (found,) = [
        each
        for each in feed_entries(Figures(study_of(runs, report={"steps": ("a", "b")})), {})
        if each.title.startswith("Level change")
    ]
    assert found.title == "Level change: 2 steps dropped at 4, by 49.5\N{NO-BREAK SPACE}%"
    assert found.category == "confirmed"
    assert found.address == "/reports/servers/@socket2/#level-changes.4-drop"
    assert "levels of 4 and 4 releases" in found.summary
    assert found.summary.endswith(". Also different: kernel.")
