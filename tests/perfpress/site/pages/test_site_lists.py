"""How the site lists what was written: pages, frames, reports, hosts and problems."""

from pathlib import Path
from typing import Any

from msgspec.structs import replace
from perfpress.base.problems import Problem
from perfpress.site.directory import SiteDirectory
from perfpress.site.figures.share_links import share_of
from perfpress.site.pages.hosts import host_pages, host_runs
from perfpress.site.pages.site_lists import (
    adapter_page,
    embeds,
    listed,
    listed_host,
    listed_problems,
    listed_report,
    publish_problems,
)
from perfpress.site.report_figures import Figures
from perfpress.site.shapes.blocks import Chart, Link, Phrase, Table
from perfpress.site.shapes.pages import (
    HostPage,
    HostsPage,
    MovedPage,
    Page,
    Place,
    ReportPage,
    VariantPage,
)
from perfpress.site.words.function_changes import NO_PROFILES
from perfpress.site.words.measured import summary_of
from perfpress.site.words.verdict_sentences import plain
from step_run_samples import step_run
from study_samples import study_of

TABLE = Table(id="t", caption="", row_head="", columns=(), rows=())


def place(path: str, **facts: Any) -> Place:
    return Place(path=path, title=f"title of {path}", heading="h", description="words", **facts)


def variant(path: str, *, chart: bool) -> VariantPage:
    share = share_of(path, "c", f"{path}c.png", (800, 300), "words", svg=f"{path}c.svg")
    drawn = Chart(id="c", caption="", asset="", share=share) if chart else None
    return VariantPage(
        place=place(path),
        opening=(),
        picture=TABLE,
        throughput=TABLE,
        by_release=drawn,
    )


def moved(path: str, now: str) -> MovedPage:
    return MovedPage(place=place(path), notices=(), now=Link(label="now", url=now))


def hosts(*runs: dict[str, Any], directory: Path) -> list[HostPage | HostsPage]:
    made = [
        step_run(directory / str(at), 1000.0 + at, changes=changes)
        for at, changes in enumerate(runs)
    ]
    return host_pages(list(host_runs(Figures(study_of(made)))), {})[0]


def test_of_a_page_that_was_written_little_is_remembered() -> None:
    near = Link(label="l", url="/u")
    full = place(
        "/reports/r/@a/", breadcrumbs=(near, near, near), previous=near, next=near, related=(near,)
    )
    kept = listed(MovedPage(place=full, notices=(), now=near))
    assert kept.place == Place(
        path=full.path,
        title=full.title,
        heading="h",
        description="",
        breadcrumbs=(near, near),
    )
    assert (kept.kind, kept.moved_to, kept.pictures) == ("moved", "/u", [])
    assert kept.opening == ()


def test_a_list_has_what_a_report_opens_with_and_not_that_it_has_no_profiles() -> None:
    slower, where = (Phrase(text="18 is slower."),), (Phrase(text="Where the time went: scan +9."),)
    page = ReportPage(place=place("/reports/r/"), opening=(slower,), picture=TABLE, releases=TABLE)
    full = replace(page, opening=(slower, where))
    assert plain([listed(full).opening]) == "18 is slower. Where the time went: scan +9."
    without = replace(page, opening=(slower, (Phrase(text=NO_PROFILES),)))
    assert listed(without).opening == slower


def test_reports_and_the_list_of_hosts_have_pages_below_them_in_hugo(tmp_path: Path) -> None:
    report = ReportPage(
        place=place("/reports/r/"),
        opening=(),
        picture=TABLE,
        releases=TABLE,
    )
    one = variant("/reports/r/@a/", chart=False)
    every, host = hosts({"release": "17"}, directory=tmp_path)
    pages: tuple[Page, ...] = (report, one, every, host)
    kinds = {made.path: made.kind for made in map(adapter_page, map(listed, pages))}
    assert kinds == {
        "reports/r": "section",
        "reports/r/@a": "page",
        "hosts": "section",
        "hosts/socket2": "page",
    }


def test_a_page_with_figures_has_one_for_frames_and_so_have_its_former_addresses() -> None:
    pages: list[Page] = [
        variant("/reports/r/@a/", chart=True),
        variant("/reports/r/@b/", chart=False),
        moved("/reports/r/@old-a/", "/reports/r/@a/"),
        moved("/reports/r/@old-b/", "/reports/r/@b/"),
    ]
    paths = [each.path for each in embeds([listed(page) for page in pages])]
    assert paths == ["reports/r/@a/embed", "reports/r/@old-a/embed"]


def test_a_report_is_listed_with_its_feed_where_it_has_runs(tmp_path: Path) -> None:
    study = study_of([step_run(tmp_path / "a", changes={"release": "17", "started": None})])
    found = listed_report(study.report, summary_of(study), (Phrase(text="18 is slower."),))
    assert (found.title, found.url) == ("Servers", "/reports/servers/")
    assert found.summary == "1 release, 1 step, 1 run"
    assert plain((found.headline,)) == "18 is slower."
    assert found.feed == "/reports/servers/feed.xml"
    written_only = listed_report(study.report, "", ())
    assert (written_only.summary, written_only.feed) == ("0 runs", "")


def test_a_host_is_listed_with_its_newest_run_where_any_has_a_date(tmp_path: Path) -> None:
    dated = [{"release": "17", "started": f"2026-02-0{day}T10:00:00Z"} for day in (1, 2)]
    _, page = hosts(*dated, directory=tmp_path / "dated")
    assert isinstance(page, HostPage)
    host = listed_host(page)
    assert (host.label, host.url) == ("socket2", "/hosts/socket2/")
    assert host.note == "2 runs; newest 2026-02-02 10:00 UTC"
    _, page = hosts({"release": "17", "started": None}, directory=tmp_path / "undated")
    assert isinstance(page, HostPage)
    assert listed_host(page).note == "1 run"


def test_a_problem_says_its_line_where_it_has_one() -> None:
    problem = Problem(path="r/run.toml", line=7, found="x", expected="y", do="z", excerpt="e\n^")
    [listed] = listed_problems([problem])
    assert listed.where == "r/run.toml:7"
    assert (listed.found, listed.expected, listed.do, listed.excerpt) == ("x", "y", "z", "e\n^")
    assert listed.severity == "error"
    assert listed_problems([Problem(path="r", found="x")])[0].where == "r"


def test_problems_of_one_kind_are_listed_as_one_with_all_their_places() -> None:
    def of(path: str, found: str, **more: Any) -> Problem:
        return Problem(path=path, found=found, do="fix it", **more)

    listed = listed_problems(
        [
            of("a", "an unknown key `operatoin`", severity="warning"),
            of("b", "a line of 1,234 bytes", line=7),
            of("c", "an unknown key `relaese`", severity="warning"),
            of("d", "a line of 99 bytes (and 3 more)"),
            of("e", "a line of 5 bytes"),
        ]
    )
    assert [(each.where, [other.where for other in each.others]) for each in listed] == [
        ("b:7", ["e"]),
        ("d", []),
        ("a", ["c"]),
    ]
    assert listed[2].others[0].found == "an unknown key `relaese`"


def test_of_many_problems_of_a_kind_the_page_has_the_first_and_a_file_has_all(
    tmp_path: Path,
) -> None:
    problems = [Problem(path=f"r/{at}.txt", line=1, found=f"{at} lines cut") for at in range(150)]
    (listed,), all_of_it = publish_problems(problems, SiteDirectory(tmp_path))
    assert (len(listed.others), listed.count) == (100, 149)
    assert all_of_it is not None
    (file,) = tmp_path.rglob(all_of_it.url.lstrip("/"))
    lines = file.read_text().splitlines()
    assert lines[149] == "error: r/149.txt:1: 149 lines cut"
    assert len(lines) == 150


def test_a_few_problems_are_on_their_page_alone(tmp_path: Path) -> None:
    problems = [Problem(path=f"r/{at}.txt", found="cut") for at in range(101)]
    (listed,), all_of_it = publish_problems(problems, SiteDirectory(tmp_path))
    assert (len(listed.others), all_of_it) == (100, None)
