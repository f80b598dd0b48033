"""What an edit costs: the stages that run again, the pages that are rendered, and nothing else."""

import re
import shutil
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest
from fixture_site import request_for, write_inputs
from perfpress.base.cache_limits import ENTRY
from perfpress.base.problems import BadInput
from perfpress.build import hugo
from perfpress.build import stages as build_stages
from perfpress.build.request import BuildRequest
from perfpress.build.stages import build
from small_site import contents, quiet

REPORT = "reports/servers/_index.md"
TEXT_PAGE = {"reports/servers/index.html", "reports/servers/index.md"}
NOTES = '+++\ntitle = "Notes"\n+++\n\nFirst.\n'
LINKS = '+++\ntitle = "Links"\n+++\n\n[What changed](/reports/servers/10.0/select/vs/9.4/)\n'
EXCERPT = "than it did.\n\n<!--more-->\n\nWhat follows is by kind.\n"
CARDS = {"rendered", "site-data", "table-card"}
OF_A_TITLE = {"/", "/problems", "/reports", "/reports/servers", "/hosts/lab1"}
STEPS = ("insert-range-100", "select")
OF_THE_BASE = {
    *OF_A_TITLE,
    "/links",  # the page of the diff that it leads to is gone
    *(f"/reports/servers/{release}" for release in ("9.4", "10.0", "11.0-rc.1", "compare")),
    "/reports/servers/@lab1--c1--2clients",
    *(f"/reports/servers/{at}/{step}" for at in ("9.4", "10.0", "11.0-rc.1") for step in STEPS),
    *(f"/reports/servers/9.4/{step}/vs/10.0" for step in STEPS),
    *(f"/reports/servers/steps/{step}" for step in STEPS),
    "/reports/servers/11.0-rc.1/select/@lab1--c1--8clients",
    "/reports/servers/steps/select/@lab1--c1--8clients",
}
REDRAWN = {"rendered", "site-data", "table-card", "diffgraph", "flamegraph"}
COMPARED = REDRAWN | {"verdicts", "relative", "releases", "diff"}


def substitute(name: str, pattern: str, new: str) -> Callable[[BuildRequest], None]:
    """Return an edit of a text."""

    def edit(request: BuildRequest) -> None:
        path = request.content / name
        text = path.read_text()
        changed = re.sub(pattern, new, text, count=1, flags=re.MULTILINE)
        assert changed != text
        path.write_text(changed)

    return edit


def withdraw_a_run(request: BuildRequest) -> None:
    """Write a correction."""
    run = min((request.results / "servers" / "10.0").glob("*/*")).name
    path = request.corrections / "servers" / "2026-03-01-disk.toml"
    path.write_text(f'kind = "invalid"\nrun = "{run}"\nreason = "the disk was full"\n')


def write_a_text(request: BuildRequest) -> None:
    """Add a page."""
    (request.content / "more.md").write_text(NOTES)


@dataclass(frozen=True)
class Edit:
    """A change of the inputs, and what it costs."""

    make: Callable[[BuildRequest], None]
    stages: set[str]
    """Those that have new entries in the cache."""
    changed: set[str] | None
    """Files of the site that are written; None for any."""
    rendered: set[str] | None = None
    """Pages that Hugo renders; None for any."""


EDITS = {
    "a sentence": Edit(
        substitute(REPORT, "What follows", "All that follows"), {"rendered"}, TEXT_PAGE
    ),
    "a new page": Edit(write_a_text, {"rendered"}, None),
    "a sentence of a page without results": Edit(
        substitute("notes.md", "First", "Second"),
        {"rendered"},
        {"notes/index.html", "notes/index.md"},
    ),
    "the title of a page": Edit(substitute("notes.md", "Notes", "Remarks"), {"rendered"}, None),
    "another figure": Edit(
        substitute(REPORT, r"\Z", '\n{{< chart "insert range=100" >}}\n'),
        {"rendered", "site-data"},
        {"reports/servers/index.html"},
    ),
    "the title of a report": Edit(
        substitute(REPORT, r"^title = .*", 'title = "Servers, again"'),
        CARDS,
        None,
        OF_A_TITLE,
    ),
    "a title that other pages have": Edit(
        substitute(REPORT, r"^title = .*", 'title = "Reads"'), CARDS, None, OF_A_TITLE
    ),
    "a title in place of one that other pages have": Edit(
        substitute(REPORT, r"^title = .*", "title = \"<Servers> & 'others'\""), CARDS, None
    ),
    "a title in place of one that HTML writes otherwise": Edit(
        substitute(REPORT, r"^title = .*", 'title = "Servers, as before"'), CARDS, None
    ),
    "a sentence of an excerpt": Edit(
        substitute(REPORT, "Reads got slower", "Reads are slower"),
        {"rendered"},
        {*TEXT_PAGE, "index.html", "reports/index.html"},
    ),
    "a remark that no page shows": Edit(
        substitute(REPORT, r"\A\+\+\+\n", "+++\n# for authors\n"), set(), set()
    ),
    "a label": Edit(
        substitute(REPORT, 'label = "10.0"', 'label = "ten"'),
        COMPARED - {"diff"} | {"over-time"},
        None,
    ),
    "a group": Edit(
        substitute(REPORT, 'title = "Writes"', 'title = "Inserts"'),
        {"rendered", "site-data", "releases"},
        None,
    ),
    "the base": Edit(
        substitute(REPORT, 'base = "9.4"', 'base = "10.0"'), COMPARED, None, OF_THE_BASE
    ),
    "a correction": Edit(withdraw_a_run, COMPARED - {"diff"} | {"over-time"}, None),
}


STATES = {"bundles"}
"""Kept once the files of results have not changed for a while, whatever is built."""


def entries(cache: Path) -> set[Path]:
    return {path.relative_to(cache) for path in cache.glob("*/*/*") if path.is_dir()}


def made(cache: Path) -> set[Path]:
    """Return the entries that are of what a build makes."""
    return {path for path in entries(cache) if path.parts[0] not in STATES}


def written_files(out: Path) -> dict[str, tuple[int, int]]:
    files = (path for path in out.rglob("*") if path.is_file())
    return {
        str(path.relative_to(out)): (path.stat().st_ino, path.stat().st_mtime_ns) for path in files
    }


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> BuildRequest:
    """Return a request that has been built once."""
    work = tmp_path_factory.mktemp("edited")
    request = request_for(write_inputs(work), work)
    substitute(REPORT, "than it did.\n", EXCERPT)(request)
    (request.content / "notes.md").write_text(NOTES)
    (request.content / "links.md").write_text(LINKS)
    build(request, quiet)
    return request


@pytest.mark.parametrize("name", EDITS)
def test_an_edit_costs_what_it_touches_and_gives_what_a_full_build_gives(
    built: BuildRequest, name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    edit = EDITS[name]
    edit.make(built)
    rendered = set[str]()
    some = hugo.of_some_pages

    def of_some_pages(config: dict[str, Any], paths: Sequence[str]) -> dict[str, Any]:
        rendered.update(paths)
        return some(config, paths)

    monkeypatch.setattr(build_stages, "of_some_pages", of_some_pages)
    cached, before = made(built.cache), written_files(built.out)
    build(built, quiet)
    stages = {path.parts[0] for path in made(built.cache) - cached} - {"site"}
    after = written_files(built.out)
    changed = {name for name in before.keys() | after.keys() if before.get(name) != after.get(name)}
    full = replace(built, out=tmp_path / "public")
    build(full, quiet)
    assert contents(built.out) == contents(full.out)
    assert stages == edit.stages
    assert edit.changed is None or changed == edit.changed
    assert edit.rendered is None or rendered == edit.rendered
    assert build(built, quiet).summary.startswith("up to date")
    shutil.rmtree(full.site_data)


def test_a_misspelt_number_is_found_before_anything_is_made(built: BuildRequest) -> None:
    text = built.content / REPORT
    before, cached, site = text.read_text(), made(built.cache), written_files(built.out)
    text.write_text(before + '\n{{< cell "10.0/insert range=100/thruput" >}}\n')
    stages: list[str] = []
    with pytest.raises(BadInput) as refused:
        build(built, stages.append)
    text.write_text(before)
    (problem,) = refused.value.problems
    assert problem.found == "shortcode cell: no number 'thruput'"
    assert problem.do == "did you mean 'throughput'?"
    assert not any(stage.startswith(("fold", "merge", "render", "writing")) for stage in stages)
    assert (made(built.cache), written_files(built.out)) == (cached, site)


def test_every_entry_can_be_removed_some_day(built: BuildRequest) -> None:
    names = {str(path) for path in entries(built.cache) if path.parts[0] != "site"}
    assert {name for name in names if not ENTRY.fullmatch(name)} == set()
    assert any(name.startswith("results-of-functions/") for name in names)
