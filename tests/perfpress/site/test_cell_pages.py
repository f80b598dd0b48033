"""Which cells have a page, and that the addresses of the others lead to their rows."""

import re
from pathlib import Path

import pytest
from bundle_samples import FILES, accepted, folded
from perfpress.analysis.study.study import Study
from perfpress.build.relative_links import readable
from perfpress.build.request import BuildRequest
from perfpress.build.stages import build
from perfpress.site.cell_pages import FEW, cell_url, has_page
from perfpress.site.formats.redirect import redirect_page
from small_site import STEP, quiet
from step_run_samples import step_run
from study_samples import cell_of, study_of

LOGS_ALONE = {key: value for key, value in STEP.items() if key != "captures"}
ROW = "/reports/servers/r03/#steps-socket2.select"


def study_with(directory: Path, count: int) -> Study:
    releases = [f"r{at:02}" for at in range(count)]
    runs = [
        step_run(directory / each, 1000.0 + at, changes={"release": each})
        for at, each in enumerate(releases)
    ]
    return study_of(runs)


def test_each_of_a_few_releases_has_a_page(tmp_path: Path) -> None:
    study = study_with(tmp_path, FEW)
    assert has_page(study, cell_of("r03"))
    assert cell_url(study, cell_of("r03")) == "/reports/servers/r03/select/"
    assert cell_url(study, cell_of("r03"), "runs") == "/reports/servers/r03/select/#runs"


def test_of_many_releases_numbers_alone_are_on_the_page_of_the_release(tmp_path: Path) -> None:
    study = study_with(tmp_path, FEW + 1)
    assert not has_page(study, cell_of("r03"))
    assert cell_url(study, cell_of("r03")) == ROW
    assert cell_url(study, cell_of("r03"), "runs") == ROW


def test_a_redirect_is_safe_for_any_name() -> None:
    page = redirect_page('a"<b>', '/x/"><script>')
    assert "<script>" not in page
    assert "<b>" not in page


def test_a_redirect_works_from_disk() -> None:
    page = readable(redirect_page("select on r03", f"{ROW}"), "reports/servers/r03/select")
    assert 'content="0; url=../index.html#steps-socket2.select"' in page
    assert 'href="../index.html#steps-socket2.select"' in page


@pytest.mark.slow
def test_a_site_of_many_releases_keeps_all_addresses(tmp_path: Path) -> None:
    for at in range(FEW + 1):
        has_profile = at == 5
        files = FILES | ({"cpu.folded.gz": folded(400)} if has_profile else {})
        step = STEP if has_profile else LOGS_ALONE
        accepted(tmp_path / "results", {"release": f"r{at:02}", "step": [step]}, files)
    content = tmp_path / "content"
    content.mkdir()
    (content / "_index.md").write_text('+++\ntitle = "Home"\n+++\n')
    out = tmp_path / "public"
    request = BuildRequest(
        results=tmp_path / "results",
        content=content,
        out=out,
        base_url="https://example.org/perf/",
        processes=1,
        drafts=False,
        cache=tmp_path / "cache",
    )
    build(request, quiet)
    (report,) = (out / "reports").glob("*/steps")
    report = report.parent
    with_pages = []
    for at in range(FEW + 1):
        page = (report / f"r{at:02}" / "select" / "index.html").read_text()
        if "<main" in page:
            with_pages.append(at)
            continue
        to = re.search(r'url=/perf/(\S+)#(\S+)"', page)
        assert to is not None
        assert f'id="{to[2]}"' in (out / to[1] / "index.html").read_text()
    assert with_pages == [5]
    redirect = report / "r03" / "select" / "index.html"
    before = redirect.read_text()
    text = content / redirect.parent.relative_to(out).with_suffix(".md")
    text.parent.mkdir(parents=True)
    for draft, kept in (("true", True), ("false", False), ("true", True)):
        text.write_text(f'+++\ntitle = "Why"\ndraft = {draft}\n+++\n')
        build(request, quiet)
        assert (redirect.read_text() == before) == kept
