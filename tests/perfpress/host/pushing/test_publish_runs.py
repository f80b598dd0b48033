"""publish.yml, run by act: from what a host pushes to the page on the published site."""

import re
import socket
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from github_stand_in import ROOT, SMALL, GitHub, github, needs_act
from perfpress.__main__ import main
from repositories import branches_of, bundle, commit_files, files_of, git

pytestmark = needs_act

START: dict[str, Any] = {"words": ["workflow", "run", "publish.yml", "--ref", "main"], "body": None}
"""What makes GitHub run the workflow on main, once something was accepted."""
PATIENT = {"words": [*START["words"], "--field", "patient=true"], "body": None}
"""What makes it run for what took too long."""
LAB1 = {"ref": "refs/heads/results/lab1"}
MAIN = {"ref": "refs/heads/main"}


@pytest.fixture
def site(tmp_path: Path) -> Iterator[GitHub]:
    with github(tmp_path / "github", SMALL) as site:
        yield site


def push(site: GitHub, *bundles: Path) -> None:
    assert main(["push", *map(str, bundles), "--to", str(site.repository)]) == 0


def release(directory: Path, version: str, rate: float) -> Path:
    return bundle(directory, report="postgres", release=version, rate=rate)


def test_what_a_host_pushes_becomes_a_page_and_a_verdict_in_the_summary(
    site: GitHub, tmp_path: Path
) -> None:
    push(site, release(tmp_path / "17", "17", 1000))
    begun = git(site.repository, "rev-parse", "main")
    accepted = site.run("publish", "push", LAB1)
    assert accepted.good, accepted.log
    assert accepted.calls == [START]
    assert "accepted\n" in accepted.summary
    assert branches_of(site.repository) == ["main"]
    assert not site.published.exists(), "the workflow of a host's branch published"

    # The run was asked for when main was older. It builds what main is when it begins.
    published = site.run("publish", "push", {**MAIN, "after": begun, "deleted": False})
    assert published.good, published.log
    page = site.published / "reports" / "postgres" / "17" / "select" / "index.html"
    assert "1,000" in page.read_text()
    assert f'href="{site.address}/reports/postgres/17/select/"' in page.read_text()
    assert "None." in published.summary, "one release has nothing to be compared with"

    push(site, release(tmp_path / "18", "18", 700))
    assert site.run("publish", "push", LAB1).calls == [START]
    published = site.run("publish", "workflow_dispatch", MAIN)
    assert published.good, published.log
    text = re.sub(r"&#(\d+);", lambda match: chr(int(match[1])), published.summary)
    said = "30.0 % slower than 17 (one run; ratio 0.700; 95 % interval 0.647 to 0.757)."
    assert f"| – | <code>slower, one run</code> | <code>{said}</code> |" in text
    [link] = re.findall(r'<a href="([^"]*)"><code>select', text)
    assert link.startswith(f"{site.address}/reports/postgres/18/select/")
    assert (site.published / link.removeprefix(f"{site.address}/") / "index.html").exists()
    # By the hash of what was computed from: the second began with what the first had kept.
    first, second = sorted((site.kept / "caches").iterdir(), key=lambda path: path.stat().st_ctime)
    assert {path.name for path in first.iterdir()} <= {path.name for path in second.iterdir()}


def test_what_is_refused_is_reported_and_the_rest_published(site: GitHub, tmp_path: Path) -> None:
    push(site, bundle(tmp_path / "a", host="lab1"), bundle(tmp_path / "b", host="lab2"))
    work = site.repository.with_suffix(".work")
    git(work, "fetch", "--quiet", "origin", "results/lab2")
    git(work, "checkout", "--quiet", "-b", "results/lab2", "FETCH_HEAD")
    stolen = {".github/workflows/publish.yml": "on: push\njobs: {}\n"}
    commit_files(work, stolen, "Take the site over")
    git(work, "push", "--quiet", "origin", "results/lab2")
    ran = site.run("publish", "schedule", {})
    assert not ran.good, "nobody would see it"
    assert ran.calls == [START]
    why = "results/lab2:.github: outside the place of a run"
    assert why in ran.summary
    assert "1 accepted" in ran.summary
    assert branches_of(site.repository) == ["main", "results/lab2"]
    assert any("lab1" in name for name in files_of(site.repository, "main"))


def test_an_object_store_is_looked_into_on_schedule_and_on_call(
    site: GitHub, tmp_path: Path
) -> None:
    store = f"file://{tmp_path / 'store'}"
    asked = f"--var=PERFPRESS_ACCEPT_FROM={store}"
    assert main(["push", str(release(tmp_path / "17", "17", 1000)), "--to", store]) == 0
    ran = site.run("publish", "schedule", {}, asked)
    assert ran.good, ran.log
    assert ran.calls == [START]
    assert not site.published.exists()
    again = site.run("publish", "schedule", {}, asked)
    assert again.good
    assert again.calls == []
    assert "0 accepted, 1 there already" in again.summary

    assert main(["push", str(release(tmp_path / "18", "18", 900)), "--to", store]) == 0
    called = site.run("publish", "repository_dispatch", {"action": "results"}, asked)
    assert called.good, called.log
    assert called.calls == [], "it publishes itself"
    for version in ("17", "18"):
        assert (site.published / "reports" / "postgres" / version / "index.html").exists()


def test_a_source_that_stalls_gets_a_run_of_its_own_that_nobody_waits_for(
    site: GitHub, tmp_path: Path
) -> None:
    push(site, bundle(tmp_path / "a", host="lab1"))
    with socket.create_server(("127.0.0.1", 0)) as never_answers:
        asked = f"--var=PERFPRESS_ACCEPT_FROM=git://127.0.0.1:{never_answers.getsockname()[1]}/x"
        ran = site.run("publish", "schedule", {}, asked)
        assert ran.good, ran.log
        assert "1 accepted" in ran.summary
        assert ran.calls == [START, PATIENT]


def test_two_runs_at_once_lose_nothing(site: GitHub, tmp_path: Path) -> None:
    push(site, bundle(tmp_path / "a", host="lab1"), bundle(tmp_path / "b", host="lab2"))
    with ThreadPoolExecutor(2) as both:
        runs = [
            both.submit(site.run, "publish", "push", {"ref": f"refs/heads/results/{host}"})
            for host in ("lab1", "lab2")
        ]
    for ran in (run.result() for run in runs):
        assert ran.good, ran.log
    names = files_of(site.repository, "main")
    for host in ("lab1", "lab2"):
        assert any(f"/{host}/" in name for name in names)
    assert branches_of(site.repository) == ["main"]


def test_a_page_with_a_dead_link_keeps_nobodys_results_back(tmp_path: Path) -> None:
    # Of the tests of all pages those that read them: visiting takes a minute.
    tests = (ROOT / "tests/site/pages.spec.js").read_text()
    tests = re.sub(r"^test\.describe\(.*?^\}\);\n", "", tests, flags=re.DOTALL | re.MULTILINE)
    index = "+++\ntitle = 'Site'\n+++\n\n[Gone](/no-such-page/)\n"
    changes = {**SMALL, "content/_index.md": index, "tests/site/pages.spec.js": tests}
    with github(tmp_path / "github", changes) as site:
        push(site, bundle(tmp_path / "b"))
        ran = site.run("publish", "push", MAIN)
        assert not ran.good
        assert site.published.exists()
        assert re.search(r"links to \S+/no-such-page/: 404", ran.summary)
        assert "some pages have faults" in ran.log


def test_a_site_that_fails_a_test_tagged_as_safe_is_not_published(site: GitHub) -> None:
    test = 'test("is safe", { tag: "@safe" }, () => expect(["it is not"]).toEqual([]));\n'
    name = "tests/site/pages.spec.js"
    work = site.repository.with_suffix(".work")
    commit_files(work, {name: f"{SMALL[name]}{test}"}, "Find a danger")
    git(work, "push", "--quiet", "origin", "main")
    ran = site.run("publish", "push", MAIN)
    assert not ran.good
    assert not site.published.exists()
    assert not (site.kept / "github-pages").exists()
    assert "it is not" in ran.summary
    assert "some pages have faults" not in ran.log


def test_a_run_that_publishes_waits_only_for_others_that_publish(site: GitHub) -> None:
    """Of the runs that wait in a group only the newest stays: it must do what the others would."""
    text = (ROOT / ".github/workflows/publish.yml").read_text()
    [group] = re.findall(r"group: \$\{\{ (.*) \}\}", text)
    [publishes] = re.findall(r"needs: land\n    if: (.*)\n", text)
    events: list[tuple[str, dict[str, Any], str]] = [
        ("push", MAIN, "group pages, publishes true"),
        ("push", LAB1, "group accept, publishes false"),
        ("workflow_dispatch", MAIN, "group pages, publishes true"),
        ("workflow_dispatch", {"ref": "refs/heads/other"}, "group accept, publishes false"),
        ("repository_dispatch", {"action": "results"}, "group pages, publishes true"),
        ("schedule", {}, "group accept, publishes false"),
        (
            "workflow_dispatch",
            {**MAIN, "inputs": {"patient": "true"}},
            "group patient, publishes false",
        ),
    ]
    work = site.repository.with_suffix(".work")
    for event, _, _ in events:
        asks = event == "workflow_dispatch"
        inputs = "\n    inputs:\n      patient: {type: boolean, default: false}" if asks else ""
        workflow = (
            f"on:\n  {event}:{inputs}\njobs:\n  it:\n    runs-on: ubuntu-24.04\n    steps:\n"
            f"      - run: echo 'group ${{{{ {group} }}}}, publishes ${{{{ {publishes} }}}}'\n"
        )
        commit_files(work, {f".github/workflows/echo-{event}.yml": workflow}, "Print")
    git(work, "push", "--quiet", "origin", "main")
    for event, payload, expected in events:
        ran = site.run(f"echo-{event}", event, payload)
        assert f"{expected}\n" in ran.log
