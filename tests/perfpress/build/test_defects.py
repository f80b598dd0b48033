"""What a defect of Perfpress costs, wherever it is met: one run, one report, one host.

Where it is of no part alone, the last good site stays, and one message says so.
"""

import pkgutil
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from bundle_samples import FILES, accepted, folded
from perfpress.base.file_tree import Tree
from perfpress.base.problems import BadInput
from perfpress.build import stages
from perfpress.build.request import BuildRequest
from perfpress.build.stages import build
from small_site import STEP, contents, quiet, small_site

THEIRS, OTHERS = "postgres-releases", "others"


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> BuildRequest:
    """A site of two reports, each of a host of its own, that was built once."""
    work = tmp_path_factory.mktemp("defects")
    request = small_site(work)
    for release, samples in (("1", 300), ("2", 200)):
        facts = {"report": OTHERS, "host": "lab9", "release": release, "step": [STEP]}
        accepted(request.results, facts, FILES | {"cpu.folded.gz": folded(samples)})
    assert not build(request, quiet).problems
    return request


def raising(original: Callable[..., Any], is_hit: Callable[..., bool]) -> Callable[..., Any]:
    """Return a function that fails for some arguments, as a defect would."""

    def function(*arguments: Any, **named: Any) -> Any:
        if is_hit(*arguments):
            raise ValueError("math domain error")
        return original(*arguments, **named)

    return function


def of_figures(figures: Any, *_: Any) -> bool:
    """Return whether figures, or what has some, are of their report."""
    return bool(getattr(figures, "figures", figures).study.report.id == THEIRS)


def of_study(study: Any, *_: Any) -> bool:
    """Return whether a study is of their report."""
    return bool(study.report.id == THEIRS)


STUDY = "perfpress.analysis.study.study"
WRITE = "perfpress.site.write"
FILES_FOR_SCRIPTS = "perfpress.site.downloads.machine_files"

OF_A_REPORT: dict[str, Callable[..., bool]] = {
    f"{STUDY}.apply_corrections": lambda bundles, *_: bundles[0].run.report == THEIRS,
    "perfpress.input.report.report.complete": lambda report, *_: report == THEIRS,
    f"{STUDY}.step_runs_of": lambda run, _: run.bundle.run.report == THEIRS,
    f"{STUDY}.fold_and_merge": lambda _, files, *__: THEIRS in files[0].shown_as,
    f"{WRITE}.draw": of_figures,
    f"{WRITE}.report_parts": of_figures,
    f"{WRITE}.study_pages": of_figures,
    f"{FILES_FOR_SCRIPTS}.record_of": of_figures,
    f"{FILES_FOR_SCRIPTS}.change_records": of_figures,
    f"{FILES_FOR_SCRIPTS}.feed_entries": of_figures,
    f"{FILES_FOR_SCRIPTS}.report_record": of_study,
    "perfpress.site.report_share.changes_of": of_figures,
    "perfpress.site.report_share.host_runs": of_figures,
    "perfpress.site.report_share.searchable_report": of_figures,
    f"{STUDY}.read_all_logs": lambda bundles, *_: bundles[0].run.report == THEIRS,
}
"""By the function that fails: whether its arguments are of their report."""
OF_A_PART: dict[str, tuple[Callable[..., bool], str, str]] = {
    "perfpress.site.pages.hosts._newest_first": (
        lambda run: run.report == THEIRS,
        "hosts/socket2",
        "hosts/socket2",
    ),
    "perfpress.site.pages.hosts._facts": (
        lambda runs: runs[0].report == THEIRS,
        "hosts/socket2",
        "hosts/socket2",
    ),
    f"{STUDY}.read_cached": (
        lambda _, directory, *__: directory.parts[-3:-1] == ("18", "socket2"),
        "results/postgres-releases/18/socket2/undated-",
        "reports/postgres-releases/18",
    ),
}
"""By the function that fails: for which arguments, which part it costs, and that part's page."""

OF_THE_SITE = (
    f"{STUDY}.read_corrections",
    f"{WRITE}.search_index",
    f"{WRITE}.site_card",
    f"{WRITE}.listed_report",
    f"{WRITE}.no_changes",
    "perfpress.site.pages.hosts._hosts_page",
    "perfpress.build.stages.problems_of_text",
    "perfpress.build.stages.run_hugo",
    "perfpress.build.stages.sizes_of",
)


@pytest.fixture
def fail(monkeypatch: pytest.MonkeyPatch) -> Callable[[str, Callable[..., bool]], None]:
    def patch(name: str, is_hit: Callable[..., bool]) -> None:
        module, _, function = name.rpartition(".")
        monkeypatch.setattr(name, raising(resolve(module, function), is_hit))

    return patch


def resolve(module: str, function: str) -> Any:
    """Return a function by the name of its module or class, and its own."""
    return getattr(pkgutil.resolve_name(module), function)


def test_a_defect_in_all_reports_leaves_the_last_good_site(
    site: BuildRequest, tmp_path: Path, fail: Any
) -> None:
    request = replace(site, out=tmp_path / "public")
    shutil.copytree(site.out, request.out)
    before = contents(request.out)
    fail(f"{WRITE}.report_parts", lambda *_: True)
    with pytest.raises(BadInput) as failure:
        build(request, quiet)
    assert len(failure.value.problems) == 2
    assert "and the last good one stays: reports/others: the site" in str(failure.value)
    assert contents(request.out) == before


def pages_and_problems(
    site: BuildRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> tuple[Path, list[str]]:
    """Build up to the data of all pages, without Hugo; return where they are, and the problems."""
    monkeypatch.setattr(stages, "_render", lambda *_: Tree("", {}))
    request = replace(site, out=tmp_path / "public")
    request.out.mkdir()
    built = build(request, quiet)
    assert built.defects == len(built.problems)
    return request.site_data / "assets" / "perfpress", [str(each) for each in built.problems]


@pytest.mark.parametrize("name", OF_A_REPORT)
def test_a_defect_in_a_report_costs_that_report(
    site: BuildRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fail: Any, name: str
) -> None:
    fail(name, OF_A_REPORT[name])
    pages, [problem] = pages_and_problems(site, tmp_path, monkeypatch)
    lost = f"reports/{THEIRS}: the site lacks the report: ValueError('math domain error') in line "
    assert problem.startswith(lost)
    assert (pages / "reports" / OTHERS / "2" / "select" / "_page.json").is_file()
    assert (pages / "hosts" / "lab9").is_dir()
    assert not (pages / "reports" / THEIRS).exists()
    assert not (pages / "hosts" / "socket2").exists()


@pytest.mark.parametrize("name", OF_A_PART)
def test_a_defect_in_a_host_or_run_costs_that_one(
    site: BuildRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fail: Any, name: str
) -> None:
    is_hit, part, page = OF_A_PART[name]
    fail(name, is_hit)
    pages, [problem] = pages_and_problems(site, tmp_path, monkeypatch)
    assert problem.startswith(part)
    assert "the site lacks the " in problem
    assert not (pages / page).exists()
    for there in ("hosts/lab9", f"reports/{THEIRS}/17/select", f"reports/{OTHERS}/2/select"):
        assert (pages / there / "_page.json").is_file()


@pytest.mark.parametrize("name", OF_THE_SITE)
def test_a_defect_of_no_part_leaves_the_last_good_site(
    site: BuildRequest, tmp_path: Path, fail: Any, name: str
) -> None:
    request = replace(site, out=tmp_path / "public")
    shutil.copytree(site.out, request.out)
    before = contents(request.out)
    fail(name, lambda *_: True)
    with pytest.raises(BadInput) as failure:
        build(request, quiet)
    [problem] = failure.value.problems
    assert problem.is_defect
    assert problem.found.startswith("no new site was made, and the last good one stays: build: ")
    assert "ValueError('math domain error') in line" in problem.found
    assert contents(request.out) == before
