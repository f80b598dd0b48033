"""What a build promises: the same bytes, the last good site, the author's pages left alone."""

import argparse
import json
import os
import re
import shutil
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from fixture_site import request_for, write_inputs
from perfpress.base.problems import BadInput
from perfpress.base.slugs import Level, reserved, slug
from perfpress.build import hugo, stages
from perfpress.build.request import BuildRequest
from perfpress.build.stages import build
from perfpress.cli import build as build_verb
from perfpress.input.bundles.read import read_bundle
from perfpress.site import write
from perfpress.site.report_parts import ReportParts
from perfpress.site.write import study_pages
from small_site import contents, quiet


@pytest.fixture(scope="module")
def inputs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a directory with results, corrections and content."""
    return write_inputs(tmp_path_factory.mktemp("inputs"))


@pytest.fixture(scope="module")
def built(inputs: Path, tmp_path_factory: pytest.TempPathFactory) -> BuildRequest:
    """Return a request that has been built once."""
    request = request_for(inputs, tmp_path_factory.mktemp("built"))
    assert not build(request, quiet).defects
    return request


def copied(inputs: Path, work: Path) -> Path:
    """Return a copy of the inputs that a test may change."""
    return Path(shutil.copytree(inputs, work / "inputs"))


def test_two_builds_without_a_common_cache_are_the_same_bytes(
    built: BuildRequest, inputs: Path, tmp_path: Path
) -> None:
    other = replace(request_for(inputs, tmp_path), processes=1)
    build(other, quiet)
    assert contents(other.out) == contents(built.out)


@pytest.fixture
def in_parts(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Have Hugo write each page of a report in a run of its own; return where runs are counted."""
    runs: list[int] = []
    run_hugo = hugo.run_hugo

    def counted(*arguments: Any) -> None:
        runs.append(len(runs))
        run_hugo(*arguments)

    monkeypatch.setattr(hugo, "MOST_DATA", 1)
    monkeypatch.setattr(stages, "run_hugo", counted)
    return runs


def test_pages_written_in_parts_are_those_written_at_once(
    built: BuildRequest, tmp_path: Path, in_parts: list[int]
) -> None:
    other = replace(built, out=tmp_path / "public")
    build(other, quiet)
    assert len(in_parts) > 10
    assert contents(other.out) == contents(built.out)


def test_a_text_at_the_address_of_a_page_of_another_part_is_refused(
    built: BuildRequest, inputs: Path, tmp_path: Path, in_parts: list[int]
) -> None:
    content = copied(inputs, tmp_path) / "content"
    matter = 'title = "x"\nurl = "/reports/servers/9.4/select/"'
    (content / "mine.md").write_text(f"+++\n{matter}\n+++\n")
    request = replace(built, out=tmp_path / "public", content=content)
    with pytest.raises(BadInput, match=r"reports/servers/9\.4/select"):
        build(request, quiet)
    assert len(in_parts) == 2


def test_a_second_build_of_the_same_inputs_writes_nothing(built: BuildRequest) -> None:
    before = {path: path.stat().st_mtime_ns for path in built.out.rglob("*")}
    again = build(built, quiet)
    assert again.summary.startswith("up to date")
    assert again.problems, "problems are reported again"
    assert {path: path.stat().st_mtime_ns for path in built.out.rglob("*")} == before


def test_content_that_hugo_refuses_leaves_the_last_good_site(
    built: BuildRequest, inputs: Path, tmp_path: Path
) -> None:
    request = replace(built, content=copied(inputs, tmp_path) / "content")
    text = request.content / "reports" / "servers" / "_index.md"
    text.write_text(text.read_text() + '\n{{< chart "no such step" >}}\n')
    before = contents(request.out)
    with pytest.raises(BadInput, match="no such step"):
        build(request, quiet)
    assert contents(request.out) == before
    assert not list(request.out.parent.glob(".public.*"))


def test_a_wrong_name_in_a_text_stops_a_build_before_results_are_read(
    built: BuildRequest, inputs: Path, tmp_path: Path
) -> None:
    request = replace(built, content=copied(inputs, tmp_path) / "content")
    text = request.content / "reports" / "servers" / "_index.md"
    text.write_text(text.read_text() + '\n{{< chart "slect" >}}\n')
    line = text.read_text().count("\n")
    stages: list[str] = []
    with pytest.raises(BadInput, match=rf"_index\.md:{line}: .*did you mean 'select'\?"):
        build(request, stages.append)
    assert stages == ["looking for changes", "reading bundles"]


def test_a_page_that_hugo_refuses_is_reported_by_file_and_line(tmp_path: Path) -> None:
    page = tmp_path / "content" / "docs" / "x.md"
    page.parent.mkdir(parents=True)
    page.write_text('+++\ntitle = "x"\ndate = "not a date"\n+++\n')
    lines = [
        'ERROR the "date" front matter field is not a parsable date: see ' + str(page),
        f'Error: "{page}:2:1": unmarshal failed: toml: basic strings cannot have new lines',
    ]
    problems = [str(hugo._problem(line, tmp_path / "content")) for line in lines]
    assert problems == [
        'content/docs/x.md:3: the "date" front matter field is not a parsable date; correct it, '
        "and build again",
        "content/docs/x.md:2: unmarshal failed: toml: basic strings cannot have new lines; correct "
        "it, and build again",
    ]


def test_a_site_set_aside_by_a_build_that_died_is_put_back(
    built: BuildRequest, tmp_path: Path
) -> None:
    request = replace(built, out=tmp_path / "public", content=tmp_path / "content")
    request.content.mkdir()
    (tmp_path / ".public.old").mkdir()
    (tmp_path / ".public.old" / "index.html").write_text("last good site")
    (tmp_path / ".public.old" / ".perfpress").touch()
    (request.content / "_index.md").write_text('+++\ntitle = "x"\n+++\n{{< nonsense >}}\n')
    with pytest.raises(BadInput):
        build(request, quiet)
    assert (request.out / "index.html").read_text() == "last good site"


def test_a_page_that_an_author_wrote_keeps_its_text_and_gets_the_numbers(
    inputs: Path, tmp_path: Path, built: BuildRequest
) -> None:
    request = replace(
        request_for(copied(inputs, tmp_path), tmp_path), cache=built.cache, out=tmp_path / "out"
    )
    page = request.content / "reports" / "servers" / "10.0" / "index.md"
    page.parent.mkdir()
    page.write_text('+++\ntitle = "Ten"\n+++\nThe author speaks.\n')
    build(request, quiet)
    html = (request.out / "reports" / "servers" / "10.0" / "index.html").read_text()
    assert "The author speaks." in html
    assert "insert range=100" in html


def test_a_report_without_a_text_has_its_pages(
    inputs: Path, tmp_path: Path, built: BuildRequest
) -> None:
    changed = copied(inputs, tmp_path)
    shutil.rmtree(changed / "content" / "reports")
    request = replace(request_for(changed, tmp_path), cache=built.cache)
    build(request, quiet)
    html = (request.out / "reports" / "servers" / "index.html").read_text()
    assert "11.0-rc.1" in html


def test_a_draft_is_published_only_on_request(
    inputs: Path, tmp_path: Path, built: BuildRequest
) -> None:
    changed = copied(inputs, tmp_path)
    text = changed / "content" / "reports" / "servers" / "_index.md"
    text.write_text(text.read_text().replace("+++\n", "+++\ndraft = true\n", 1))
    request = replace(request_for(changed, tmp_path), cache=built.cache)
    build(request, quiet)
    assert not (request.out / "reports" / "servers").exists()
    assert "Servers from 9.4" not in (request.out / "index.html").read_text()
    published = [request.out / "feed.xml", *(request.out / "api").iterdir()]
    assert [path.name for path in published if "servers" in path.read_text()] == []
    build(replace(request, drafts=True), quiet)
    assert (request.out / "reports" / "servers" / "10.0" / "index.html").exists()
    assert [path.name for path in published if "servers" in path.read_text()] == []


def test_no_release_step_or_host_can_be_named_like_what_stands_beside_its_page(
    built: BuildRequest,
) -> None:
    pages = built.out / "reports"
    files = [page for page in pages.iterdir() if page.is_file()]
    assert unreserved([*files, *(built.out / "hosts").glob("*.*")], "host") == []
    assert unreserved(files, "report") == []
    report = pages / "servers"
    rows = json.loads((report / "metrics.json").read_text())
    releases = {slug(row["release"]) for row in rows}
    steps = {slug(row["step"]) for row in rows}
    assert unreserved(report.iterdir(), "release", but=releases) == []
    for release in releases:
        assert unreserved((report / release).iterdir(), "step", but=steps) == []


def unreserved(paths: Iterable[Path], level: Level, but: Iterable[str] = ()) -> list[str]:
    """Return the names that a new release, step, report or host could take; no slug has an `@`."""
    names = {path.name for path in paths} - set(but)
    return sorted(name for name in names if "@" not in name and not reserved(name, level))


def test_an_invalid_run_leaves_the_figures_and_stays_in_the_metrics(built: BuildRequest) -> None:
    site = json.loads((built.out / "reports/servers/metrics.json").read_text())
    excluded = [row for row in site if row["metric"] == "throughput" and row["value"] > 70_000]
    assert len(excluded) == 1
    assert not excluded[0]["in_figures"]
    assert "still being loaded" in excluded[0]["why_not"]


def test_a_formula_in_a_name_is_text_in_the_csv(built: BuildRequest) -> None:
    tables = [path.read_text() for path in (built.out / "reports").rglob("metrics.csv")]
    cells = [cell for table in tables for line in table.splitlines() for cell in line.split(",")]
    assert not [cell for cell in cells if cell.lstrip('"').startswith(("=", "+", "@"))]


def test_a_text_that_cannot_be_read_costs_only_itself(
    inputs: Path, tmp_path: Path, built: BuildRequest
) -> None:
    changed = copied(inputs, tmp_path)
    text = changed / "content" / "reports" / "servers" / "_index.md"
    text.write_text(text.read_text().replace('base = "9.4"', 'base = 9.4"'))
    request = replace(request_for(changed, tmp_path), cache=built.cache)
    problems = [str(each) for each in build(request, quiet).problems]
    assert [each for each in problems if "reports/servers/_index.md:5" in each]
    html = (request.out / "reports" / "servers" / "index.html").read_text()
    assert "11.0-rc.1" in html


def test_a_broken_draft_stays_unpublished(
    inputs: Path, tmp_path: Path, built: BuildRequest
) -> None:
    changed = copied(inputs, tmp_path)
    text = changed / "content" / "reports" / "servers" / "_index.md"
    broken = text.read_text().replace('base = "9.4"', 'base = 9.4"')
    text.write_text(broken.replace("+++\n", "+++\ndraft = true\n", 1))
    request = replace(request_for(changed, tmp_path), cache=built.cache)
    build(request, quiet)
    assert not (request.out / "reports" / "servers").exists()


def test_a_bundle_with_a_secret_is_not_published(
    inputs: Path, tmp_path: Path, built: BuildRequest
) -> None:
    changed = copied(inputs, tmp_path)
    bundle = next((changed / "results" / "servers" / "11.0-rc.1").glob("*8clients/*"))
    log = bundle / "select" / "pgbench.txt"
    log.write_text(f"pgbench --mysql-password=hunter2x\n{log.read_text()}")
    read, _ = read_bundle(bundle, "moved")
    assert read is not None
    bundle.rename(bundle.with_name(read.run_id))
    request = replace(request_for(changed, tmp_path), cache=built.cache)
    problems = [str(each) for each in build(request, quiet).problems]
    assert [each for each in problems if "pgbench.txt:1" in each]
    assert not [path for path in request.out.rglob("*") if b"hunter2x" in read_if_file(path)]
    assert not (request.out / "reports/servers/11.0-rc.1/select/@lab1--c1--8clients").exists()


def read_if_file(path: Path) -> bytes:
    """Return a file's bytes; nothing of a directory."""
    return path.read_bytes() if path.is_file() else b""


def test_an_address_from_before_a_rename_leads_to_the_new_one(
    inputs: Path, tmp_path: Path, built: BuildRequest
) -> None:
    changed = copied(inputs, tmp_path)
    rename = 'kind = "rename"\nwhat = "release"\nfrom = "10.0"\nto = "10.0.1"\nreason = "a slip"\n'
    (changed / "corrections" / "servers" / "2026-03-01-name.toml").write_text(rename)
    text = changed / "content" / "reports" / "servers" / "_index.md"
    text.write_text(text.read_text() + '\n{{< cell "10.0/select/throughput" >}}\n')
    request = replace(request_for(changed, tmp_path), cache=built.cache)
    build(request, quiet)
    for page in ("", "select/", "select/vs/9.4/", "select/@lab1--c1--8clients/"):
        html = (request.out / "reports/servers/10.0" / page / "index.html").read_text()
        assert f'href="/perf/reports/servers/10.0.1/{page}"' in html
        assert "a slip" in html
    html = (request.out / "reports/servers/11.0-rc.1/select/vs/10.0/index.html").read_text()
    assert 'href="/perf/reports/servers/11.0-rc.1/select/vs/10.0.1/"' in html


def test_a_missing_directory_does_not_empty_the_site(built: BuildRequest, tmp_path: Path) -> None:
    before = contents(built.out)
    with pytest.raises(BadInput, match="no such directory"):
        build(replace(built, results=tmp_path / "typo"), quiet)
    assert contents(built.out) == before


def test_a_text_may_name_a_release_whose_runs_are_gone(
    inputs: Path, tmp_path: Path, built: BuildRequest
) -> None:
    changed = copied(inputs, tmp_path)
    shutil.rmtree(changed / "results" / "servers" / "11.0-rc.1")
    request = replace(request_for(changed, tmp_path), cache=built.cache)
    build(request, quiet)
    html = (request.out / "reports" / "servers" / "index.html").read_text()
    assert "no profile of select on 11.0 rc1" in html
    shutil.rmtree(changed / "results" / "servers")
    build(request, quiet)
    html = (request.out / "reports" / "servers" / "index.html").read_text()
    assert "no results that could be read" in html


@pytest.mark.parametrize("holds", ["thesis.txt", "results", "content"])
def test_a_directory_that_is_no_site_is_never_replaced(
    inputs: Path, tmp_path: Path, built: BuildRequest, holds: str
) -> None:
    changed = copied(inputs, tmp_path)
    (changed / "thesis.txt").write_text("years of work")
    request = replace(request_for(changed, tmp_path), cache=built.cache)
    out = changed if holds == "thesis.txt" else changed / holds
    before = contents(changed)
    with pytest.raises(BadInput, match="a new or empty directory"):
        build(replace(request, out=out), quiet)
    assert contents(changed) == before


def test_pages_whose_names_end_like_files_do_not_collide(
    inputs: Path, tmp_path: Path, built: BuildRequest
) -> None:
    changed = copied(inputs, tmp_path)
    rename = 'kind = "rename"\nwhat = "release"\nfrom = "10.0"\nto = "9.4.json"\nreason = "x"\n'
    (changed / "corrections" / "servers" / "2026-03-01-name.toml").write_text(rename)
    request = replace(request_for(changed, tmp_path), cache=built.cache)
    build(request, quiet)
    assert (request.out / "reports/servers/9.4/select/index.html").is_file()
    assert (request.out / "reports/servers/9.4.json/select/index.html").is_file()


def test_a_defect_in_the_pages_of_a_report_costs_that_report_only(
    inputs: Path, tmp_path: Path, built: BuildRequest, monkeypatch: pytest.MonkeyPatch
) -> None:
    def pages_of_all_but_servers(parts: ReportParts) -> Any:
        if parts.report.id == "servers":
            raise ValueError("math domain error")
        return study_pages(parts)

    monkeypatch.setattr(write, "study_pages", pages_of_all_but_servers)
    request = replace(request_for(copied(inputs, tmp_path), tmp_path), cache=built.cache)
    problems = [str(each) for each in build(request, quiet).problems]
    assert [each for each in problems if "reports/servers" in each and "math domain" in each]
    others = [path for path in (request.out / "reports").iterdir() if path.is_dir()]
    assert others, "the other report is there"


def test_pipes_and_names_in_no_encoding_do_not_stop_a_build(
    inputs: Path, tmp_path: Path, built: BuildRequest
) -> None:
    changed = copied(inputs, tmp_path)
    bundle = next((changed / "results" / "servers" / "9.4").glob("*/*"))
    os.mkfifo(bundle / "pipe")
    (Path(os.fsdecode(os.fsencode(bundle.parent) + b"/\xff\xfe"))).mkdir()
    request = replace(request_for(changed, tmp_path), cache=built.cache)
    problems = [str(each) for each in build(request, quiet).problems]
    assert [each for each in problems if "pipe" in each]
    assert (request.out / "reports" / "servers" / "index.html").is_file()


def test_a_defect_of_ours_is_published_around_reported_and_tried_again(
    inputs: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    def none_answers(_: object, requests: Sequence[object], *_rest: object) -> list[dict[str, Any]]:
        return [{"ok": False, "defect": "a bug"} for _ in requests]

    arguments = argparse.ArgumentParser()
    build_verb.add_arguments(arguments)
    words = {"results": inputs / "results", "content": inputs / "content", "out": tmp_path / "out"}
    options = [each for name, path in words.items() for each in (f"--{name}", str(path))]
    asked = arguments.parse_args([*options, "--base-url", "https://example.org/"])
    request = replace(build_verb.request_of(asked), cache=tmp_path / "cache")
    monkeypatch.setattr(build_verb, "request_of", lambda _: request)
    with monkeypatch.context() as patch:
        patch.setattr("perfpress.base.node.jobs.run_requests", none_answers)
        assert build_verb.run(asked) == 0
    listed = "this is a defect of Perfpress: report it"
    assert listed in (tmp_path / "out" / "problems" / "index.html").read_text()
    *errors, last = capsys.readouterr().err.splitlines()
    assert [each for each in errors if listed in each and not each.startswith("warning")]
    lacking = r"\d+ defects? of Perfpress: the site lacks what they stopped; report them, .*"
    assert re.fullmatch(lacking, last)
    assert build_verb.run(asked) == 0
    assert "defect" not in capsys.readouterr().err
    assert listed not in (tmp_path / "out" / "problems" / "index.html").read_text()
