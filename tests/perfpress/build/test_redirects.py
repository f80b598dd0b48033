"""Pages that only lead to others: one file of data holds those of a release."""

from pathlib import Path

from perfpress.build.redirects import write_redirects
from perfpress.build.rendered import Rendered, changes
from perfpress.site.directory import Redirects, SiteDirectory

ABOVE = "/reports/a/18/"


def rendered(redirects: dict[str, Redirects], *pages: str) -> Rendered:
    return Rendered("", dict.fromkeys(pages, ""), {}, redirects, {})


def test_each_is_written_where_it_is_read_but_in_the_place_of_a_page(tmp_path: Path) -> None:
    pages = {"select/": "<a>rows</a>", "select/@c2/": "<a>é</a>", "insert/": "<a>written</a>"}
    pages["update/"] = "<a>written just now</a>"
    now = tmp_path / "site/reports/a/18/update/index.html"
    now.parent.mkdir(parents=True)
    now.write_text("a text")
    SiteDirectory(tmp_path / "data").write_redirects(ABOVE, pages)
    write_redirects(tmp_path / "data", [ABOVE], {f"{ABOVE}insert"}, tmp_path / "site")
    found = {
        path.relative_to(tmp_path / "site").as_posix(): path.read_text(encoding="utf-8")
        for path in (tmp_path / "site").rglob("*.html")
    }
    assert found == {
        "reports/a/18/select/index.html": "<a>rows</a>",
        "reports/a/18/select/@c2/index.html": "<a>é</a>",
        "reports/a/18/update/index.html": "a text",
    }


def test_a_release_without_any_has_no_file(tmp_path: Path) -> None:
    SiteDirectory(tmp_path).write_redirects(ABOVE, {})
    assert not [*tmp_path.rglob("*")]


def test_those_of_a_release_are_written_again_when_one_differs() -> None:
    old = {ABOVE: Redirects("1", "select/"), "/reports/a/17/": Redirects("2", "select/")}
    found = changes(rendered(old), rendered(old | {ABOVE: Redirects("3", "select/")}))
    assert found.redirects == (ABOVE,)
    assert found.gone_files == ()


def test_one_that_leads_nowhere_any_more_is_removed_and_a_page_in_its_place_stays() -> None:
    old = rendered({ABOVE: Redirects("1", "select/\ninsert/\nupdate/")}, f"{ABOVE}update")
    new = rendered({ABOVE: Redirects("2", "insert/")}, f"{ABOVE}update")
    assert changes(old, new).gone_files == ("reports/a/18/select/index.html",)
    gone = changes(old, rendered({})).gone_files
    assert gone == tuple(
        f"reports/a/18/{step}/index.html" for step in ("insert", "select", "update")
    )


def test_one_comes_back_when_the_page_in_its_place_is_gone() -> None:
    redirects = {ABOVE: Redirects("1", "select/"), "/reports/a/17/": Redirects("2", "select/")}
    old, new = rendered(redirects, f"{ABOVE}select"), rendered(redirects)
    found = changes(old, new)
    assert found.redirects == (ABOVE,)
    assert found.gone_pages == (f"{ABOVE}select",)
