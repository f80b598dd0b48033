"""comment.yml: what it posts on a pull request, whatever its workflow has kept.

act runs the workflow. Most tests call the script that it calls, which takes a tenth of the time.
"""

import io
import json
import os
import subprocess
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from github_stand_in import ROOT, SMALL, GitHub, Ran, github, needs_act

pytestmark = needs_act

SHA = "c0ffee" + "0" * 34
VERDICT = {
    "report": "postgres",
    "release": "18",
    "variant": "lab1",
    "step": "select",
    "against": "17",
    "verdict": "slower",
    "ratio": 0.7,
    "url": "reports/postgres/18/select/",
}


@pytest.fixture(scope="module")
def repository(tmp_path_factory: pytest.TempPathFactory) -> Iterator[GitHub]:
    with github(tmp_path_factory.mktemp("comment") / "github", SMALL) as site:
        yield site


@pytest.fixture
def site(repository: GitHub) -> GitHub:
    for answer in repository.answers.iterdir():
        answer.unlink()
    answered(repository, "pulls", [{"number": 7, "head": {"sha": SHA}}])
    return repository


def answered(site: GitHub, address: str, answer: Any) -> None:
    """Let `gh api` answer."""
    content = answer if isinstance(answer, bytes) else json.dumps(answer).encode()
    (site.answers / f"repos/owner/site/{address}".replace("/", "!")).write_bytes(content)


def kept(site: GitHub, archive: bytes, size: int | None = None, *, name: str = "verdicts") -> None:
    """Let the run of Check have kept an archive."""
    size = len(archive) if size is None else size
    answer = {"artifacts": [{"id": 1, "name": "preview", "size_in_bytes": 1},
                          {"id": 42, "name": name, "size_in_bytes": size}]}  # fmt: skip
    answered(site, "actions/runs/99/artifacts", answer)
    answered(site, "actions/artifacts/42/zip", archive)


def archive(members: dict[str, bytes], **modes: int) -> bytes:
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as zipped:
        for name, text in members.items():
            member = zipfile.ZipInfo(name)
            member.compress_type = zipfile.ZIP_DEFLATED
            member.external_attr = modes.get(Path(name).stem, 0o100644) << 16
            zipped.writestr(member, text)
    return content.getvalue()


def verdicts(**changes: object) -> bytes:
    return json.dumps({"version": 1, "verdicts": [VERDICT | changes]}).encode()


def comment(site: GitHub, sha: str = SHA, *, script: str = "comment.sh") -> Ran:
    """Let Check have ended well for a pull request, and call the script as the workflow does."""
    before = site.calls()
    settings = {
        "GITHUB_REPOSITORY": "owner/site",
        "RUN_ID": "99",
        "RUN_URL": "https://github.com/owner/site/actions/runs/99",
        "HEAD_SHA": sha,
        "HEAD_OWNER": "stranger",
        "HEAD_BRANCH": "patch",
        "PERFPRESS_BASE_URL": f"{site.address}/",
    }
    done = subprocess.run(
        [ROOT / ".github" / script], cwd=ROOT, env=os.environ | site.environment() | settings,
        text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False,
    )  # fmt: skip
    return Ran(done.returncode == 0, done.stdout, "", site.calls()[len(before) :])


def run_workflow(site: GitHub, **changes: object) -> Ran:
    """Let Check have ended, and run the workflow that this starts."""
    run: dict[str, object] = {
        "id": 99,
        "html_url": "https://github.com/owner/site/actions/runs/99",
        "event": "pull_request",
        "conclusion": "success",
        "head_sha": SHA,
        "head_branch": "patch",
        "head_repository": {"owner": {"login": "stranger"}},
        "pull_requests": [],  # as of all forks
    }
    return site.run("comment", "workflow_run", {"workflow_run": run | changes})


def comments(ran: Ran) -> list[dict[str, Any]]:
    return [call for call in ran.calls if call["words"][0] != "api"]


def test_the_pull_request_shows_what_changes(site: GitHub) -> None:
    kept(site, archive({"verdicts.json": verdicts()}))
    ran = run_workflow(site)
    assert ran.good, ran.log
    [posted] = comments(ran)
    assert posted["words"][:5] == ["pr", "comment", "7", "--repo", "owner/site"]
    assert posted["words"][-2:] == ["--edit-last", "--create-if-none"]
    assert "<code>slower</code>" in posted["body"]
    assert "[this run](https://github.com/owner/site/actions/runs/99)" in posted["body"]
    [asked] = [call["words"] for call in ran.calls if "repos/owner/site/pulls" in call["words"]]
    assert "head=stranger:patch" in asked


def test_only_what_the_published_site_does_not_say_is_reported(site: GitHub) -> None:
    published = site.published / "api" / "verdicts.json"
    published.parent.mkdir(parents=True, exist_ok=True)
    published.write_bytes(verdicts())
    kept(site, archive({"verdicts.json": verdicts()}))
    [posted] = comments(comment(site))
    published.unlink()
    assert "None." in posted["body"]


def test_no_other_pull_request_can_be_named(site: GitHub) -> None:
    # What the stranger's programs have kept names number 1; nothing reads it.
    hostile = {"verdicts.json": verdicts(), "number": b"1", "pr/NR": b"1", "sha": b"0" * 40}
    kept(site, archive(hostile))
    assert [posted["words"][2] for posted in comments(comment(site))] == ["7"]
    # The branch has moved on since: what was checked is not what is asked for.
    ran = comment(site, sha="d" * 40)
    assert ran.good, ran.log
    assert "no open pull request is at that commit" in ran.log
    assert comments(ran) == []


def test_the_name_of_a_branch_is_no_command(site: GitHub, tmp_path: Path) -> None:
    kept(site, archive({"verdicts.json": verdicts()}))
    branch = f"--jq=. $(touch {tmp_path}/a)`touch {tmp_path}/b`;touch {tmp_path}/c&state=all\né'\""
    ran = run_workflow(site, head_branch=branch)
    [asked] = [call["words"] for call in ran.calls if "repos/owner/site/pulls" in call["words"]]
    assert f"head=stranger:{branch}" in asked
    assert [posted["words"][:3] for posted in comments(ran)] == [["pr", "comment", "7"]]
    assert list(tmp_path.iterdir()) == []


HOSTILE = {
    "no archive": b"<html>",
    "an empty one": archive({}),
    "without the file": archive({"other.json": verdicts()}),
    "a link": archive({"verdicts.json": b"/proc/self/environ"}, verdicts=0o120777),
    "names that climb": archive({"../../../verdicts.json": verdicts(), "/etc/x": b""}),
    "no JSON": archive({"verdicts.json": b"::set-output name=x::y\n"}),
    "other JSON": archive({"verdicts.json": b'{"verdicts": "a"}'}),
    "deep JSON": archive({"verdicts.json": b"[" * 1_000_000}),
    "a bomb": archive({"verdicts.json": bytes(60_000_000)}),
}


@pytest.mark.parametrize("kind", HOSTILE)
def test_a_hostile_archive_gets_no_comment(site: GitHub, kind: str) -> None:
    kept(site, HOSTILE[kind])
    ran = comment(site)
    assert comments(ran) == []
    assert not ran.good
    assert "Traceback" not in ran.log
    assert "verdicts.zip: " in ran.log


def test_a_comparison_of_any_project_is_posted_as_text(site: GitHub) -> None:
    """By the action that other projects use."""
    steps = [{"step": "@everyone", "rate": {"verdict": "slower", "why": "", "ratio": 0.9}}]
    made = {"headline": "10 % slower", "base": {"runs": 5}, "after": {"runs": 5}, "steps": steps}
    content = archive({"comparison.json": json.dumps(made).encode()})
    kept(site, content, name="comparison")
    [posted] = comments(comment(site, script="actions/comment/comment.sh"))
    assert posted["words"][:3] == ["pr", "comment", "7"]
    assert "<code>slower</code>" in posted["body"]
    assert "@everyone" not in posted["body"]
    kept(site, content)
    assert comments(comment(site, script="actions/comment/comment.sh")) == []


def test_a_huge_archive_is_not_fetched(site: GitHub) -> None:
    kept(site, archive({"verdicts.json": verdicts()}), size=5_000_000_000)
    ran = comment(site)
    assert ran.good, ran.log
    assert "the run kept no verdicts" in ran.log
    assert not any("zip" in call["words"][-1] for call in ran.calls)


def test_names_in_the_verdicts_stay_text(site: GitHub) -> None:
    name = "@everyone </code>[x](https://example.org)\n\n# #1"
    kept(site, archive({"verdicts.json": verdicts(step=name, verdict=name)}))
    [posted] = comments(comment(site))
    assert "@everyone" not in posted["body"]
    assert "example.org" not in posted["body"]
    assert len(posted["body"].splitlines()) == 7


@pytest.mark.parametrize(
    "run", [{"event": "push"}, {"conclusion": "failure"}, {"conclusion": "cancelled"}]
)
def test_only_a_checked_pull_request_is_commented_on(site: GitHub, run: dict[str, str]) -> None:
    kept(site, archive({"verdicts.json": verdicts()}))
    assert run_workflow(site, **run).calls == []
