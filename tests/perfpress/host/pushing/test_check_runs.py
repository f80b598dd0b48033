"""check.yml, run by act on the pull request of a stranger: a preview, or what is wrong."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from github_stand_in import SMALL, GitHub, Ran, github, needs_act
from perfpress.input.bundles.discover import place_of
from perfpress.input.bundles.read import read_bundle
from repositories import bundle, files_of, git

pytestmark = needs_act


@pytest.fixture
def site(tmp_path: Path) -> Iterator[GitHub]:
    with github(tmp_path / "github", SMALL) as site:
        yield site


def check(site: GitHub) -> Ran:
    """Make a pull request from a fork with what is in the clone; run what checks it."""
    work = site.repository.with_suffix(".work")
    git(work, "checkout", "--quiet", "-B", "patch", "main")
    git(work, "add", "--all", "--force", "data")
    git(work, "commit", "--quiet", "--message=Add a run")
    git(work, "checkout", "--quiet", "--detach", "main")
    git(work, "merge", "--quiet", "--no-ff", "patch")
    git(work, "push", "--quiet", "origin", "HEAD:refs/pull/7/merge")
    asked = {
        "number": 7,
        "action": "opened",
        "pull_request": {
            "number": 7,
            "head": {"ref": "patch", "repo": {"full_name": "stranger/site", "fork": True}},
            "base": {"ref": "main"},
        },
    }
    return site.run("check", "pull_request", asked, "--job=preview")


def added(site: GitHub, tmp_path: Path) -> Path:
    """Write a good bundle to where it belongs in the clone."""
    written = bundle(tmp_path / "b")
    read, problems = read_bundle(written, "b")
    assert read, problems
    place = site.repository.with_suffix(".work").joinpath("data", "results", *place_of(read))
    place.parent.mkdir(parents=True)
    written.rename(place)
    return place


def test_a_good_run_gets_a_preview_and_its_verdicts_are_kept(site: GitHub, tmp_path: Path) -> None:
    added(site, tmp_path)
    ran = check(site)
    assert ran.good, ran.log
    kept = site.kept / "artifacts"
    page = kept / "preview" / "reports" / "postgres-releases" / "18" / "select" / "index.html"
    assert "1,000" in page.read_text()
    assert json.loads((kept / "verdicts" / "verdicts.json").read_text())["verdicts"] == []
    assert not any(name.startswith("data/results/p") for name in files_of(site.repository, "main"))


@pytest.mark.parametrize("fault", ["a secret", "a link", "a link for the run", "another place"])
def test_a_bad_run_is_refused_with_what_is_wrong(site: GitHub, tmp_path: Path, fault: str) -> None:
    place = added(site, tmp_path)
    log = place / "select.txt"
    if fault == "a secret":
        log.write_text("mysql --password=Tr0ub4dor\n")
        message = "what looks like a secret"
    elif fault == "a link":
        log.unlink()
        log.symlink_to("/etc/passwd")
        message = "symbolic link"
    elif fault == "a link for the run":
        place.rename(tmp_path / "elsewhere")
        place.symlink_to(tmp_path / "elsewhere")
        message = "symbolic link"
    else:
        place.rename(place.parent.parent / "run")
        message = "run.toml"
    ran = check(site)
    assert not ran.good
    assert message in ran.log, ran.log
    assert "Tr0ub4dor" not in ran.log
    assert not (site.kept / "artifacts").exists()
