"""`perfpress verdict`: words, machine-readable forms and the exit status."""

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, NamedTuple
from xml.etree import ElementTree

import pytest
from bundle_samples import accepted, pgbench_log
from perfpress.__main__ import main

STEADY = (1000.0, 1001.0, 999.0, 1002.0, 998.0)


class Answer(NamedTuple):
    """What a call printed, and its exit status."""

    status: int
    out: str
    err: str


Verdict = Callable[..., Answer]


@pytest.fixture
def results(tmp_path: Path) -> Path:
    """Results of releases 16, 17 (half as fast in five runs) and 18 (half as fast in one)."""
    directory = tmp_path / "data" / "results"
    rates = {
        "16": STEADY,
        "17": tuple(rate / 2 for rate in STEADY),
        "18": (500.5,),
    }
    for release, values in rates.items():
        for at, rate in enumerate(values):
            accept_run(directory, release, at, rate)
    return directory


def accept_run(directory: Path, release: str, at: int, rate: float, **changes: Any) -> None:
    """Put a run of one step among the results."""
    stated: Mapping[str, Any] = {
        "release": release,
        "started": f"2026-01-{at + 1:02d}T10:00:00Z",
        **changes,
    }
    accepted(directory, stated, {"select.txt": pgbench_log(rate)})


@pytest.fixture
def verdict(results: Path, capsys: pytest.CaptureFixture[str]) -> Verdict:
    """Return a caller of the verb on these results."""

    def call(*words: str) -> Answer:
        content = results.parent / "content"
        content.mkdir(exist_ok=True)
        status = main(["verdict", "--results", str(results), "--content", str(content), *words])
        return Answer(status, *capsys.readouterr())

    return call


def test_it_says_how_the_last_release_compares_and_why(verdict: Verdict) -> None:
    answer = verdict()
    assert answer.status == 0
    heads = [line for line in answer.out.splitlines() if line and not line.startswith(" ")]
    assert [head.partition(",")[0].split(" > ")[1] for head in heads] == [
        "18 against 16",
        "18 against 17",
    ]
    first = answer.out.splitlines()[1]
    assert first.startswith("  select  50.0 % slower than 16 (one run; ratio 0.500; ")
    assert "noise floor" in answer.out.splitlines()[2]


@pytest.mark.parametrize(
    ("words", "status"),
    [
        (("--release", "17", "--fail-on", "slower"), 3),
        (("--release", "18", "--fail-on", "slower"), 0),
        (("--release", "18", "--fail-on", "slower-one-run"), 3),
        (("--release", "18", "--fail-on", "slower-one-run", "--against", "previous"), 0),
        (("--release", "17"), 0),
    ],
)
def test_only_what_was_asked_to_fail_fails(
    words: tuple[str, ...], status: int, verdict: Verdict
) -> None:
    assert verdict(*words).status == status


def test_an_accepted_regression_does_not_fail(results: Path, verdict: Verdict) -> None:
    (report,) = (path.name for path in results.iterdir())
    corrections = results.parent / "corrections" / report
    corrections.mkdir(parents=True)
    (corrections / "2026-02-01-checksums.toml").write_text(
        'kind = "accept"\nrelease = "17"\nreason = "checksums are worth it"\n'
    )
    answer = verdict("--release", "17", "--fail-on", "slower")
    assert answer.status == 0, answer.err
    assert "; accepted: checksums are worth it)." in answer.out


def test_json_is_what_the_site_publishes(verdict: Verdict) -> None:
    content = json.loads(verdict("--release", "17", "--format", "json").out)
    assert content["version"] == 1
    (record,) = content["verdicts"]
    assert record["verdict"] == "slower"
    assert record["headline"].startswith("50.0\N{NO-BREAK SPACE}% slower than 16 (ratio 0.500; ")
    assert record["ratio"] == pytest.approx(0.5)
    assert record["interval"][0] < 0.5 < record["interval"][1]
    assert (record["runs"], record["against_runs"]) == (5, 5)
    assert record["p"] == pytest.approx(2 / 252 / 0.16)
    assert record["url"].startswith("reports/")


def test_junit_has_a_case_a_step(verdict: Verdict) -> None:
    root = ElementTree.fromstring(verdict("--release", "17", "--format", "junit").out)
    (suite,) = root
    assert suite.get("failures") == "1"
    failure = suite.find("testcase/failure")
    assert failure is not None
    assert failure.get("type") == "slower"
    assert (failure.get("message") or "").startswith("50.0 % slower than 16 (ratio 0.500; ")
    assert "Mann-Whitney" in (failure.text or "")


def test_an_unknown_report_or_release_is_reported_with_the_nearest(
    verdict: Verdict,
) -> None:
    answer = verdict("--release", "1")
    assert answer.status == 1
    assert "no results of the release '1'" in answer.err.replace('"', "'")
    answer = verdict("--report", "nonsense")
    assert answer.status == 1


@pytest.mark.parametrize("option", ["--results", "--content"])
def test_a_directory_that_is_not_there_is_reported_instead_of_defaults(
    option: str, verdict: Verdict
) -> None:
    answer = verdict("--release", "17", option, "nowhere")
    assert answer.status == 1
    assert answer.out == ""
    assert "nowhere: no such directory; expected " in answer.err
    assert f"check {option}" in answer.err


@pytest.mark.parametrize("release", ["16", "19"])
def test_a_gate_that_compares_nothing_does_not_pass(
    release: str, results: Path, verdict: Verdict
) -> None:
    other = {"name": "insert", "operation": "insert", "logs": ["select.txt"]}
    accept_run(results, "19", 0, 1000.0, step=[other])
    words = ("--release", release, "--against", "base")
    answer = verdict(*words, "--fail-on", "slower")
    assert answer.status == 1
    assert "nothing was compared" in answer.err
    assert "check --release and --against" in answer.err
    assert verdict(*words).status == 0


def test_the_first_release_is_compared_with_nothing(verdict: Verdict) -> None:
    answer = verdict("--release", "16")
    assert (answer.status, answer.out) == (0, "no release to compare with another one\n")
