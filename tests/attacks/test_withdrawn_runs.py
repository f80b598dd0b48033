"""No run that is pushed makes a text's names unknown, which would stop the build of everybody.

A host may replace its own runs, by one that measured another step, and first runs decide what the
author left open. Where that leaves nothing to show, the text says why.
"""

from collections.abc import Callable
from datetime import UTC, datetime
from html import unescape
from pathlib import Path
from typing import Any

import pytest
from bundle_samples import accepted
from perfpress.build.stages import build
from perfpress.input.bundles.read import Bundle, read_bundle
from perfpress.input.report.shortcodes import ARGUMENTS
from small_site import quiet, small_site

FRONT = """\
+++
title = "Servers"

[[drilldowns]]
name = "reading"
columns = [{ head = "all", path = "a" }]

[[calltrees]]
name = "tree"
root = "a"
+++

"""
CALLS = {
    "cell": [f"18/select/{of}" for of in ("throughput", "cost", "spread", "against-base")],
    "throughput": ["", "throughput-socket2"],
    "relative": ["", "against-base-socket2", "against-previous-socket2"],
    "releases": ["", "by-release-socket2"],
    "chart": ["select"],
    "latency": ["select"],
    "percentiles": ["select"],
    "drilldown": ["reading", "reading/select"],
    "calltree": ["tree", "tree/select"],
    "verdicts": ["18", "17 select"],
    "suspects": ["17 select", "18 select", "18 select 17"],
    "flamegraph": ["18 select"],
    "diff": ["18 select 17"],
    "trace": ["18 select", "18 select 2"],
}
"""Every shortcode, with the arguments that it takes."""

OTHER = {"step": [{"name": "other", "operation": "transaction", "logs": ["select.txt"]}]}
Push = Callable[[Path, list[Bundle]], None]


def replace_all(results: Path, there: list[Bundle]) -> None:
    """Push a rerun of each run, without its step."""
    for run in there:
        facts: dict[str, Any] = {"release": run.run.release, "replaces": run.run_id}
        accepted(results, facts | OTHER | {"started": datetime(2026, 11, 23, tzinfo=UTC)})


def replace_the_base(results: Path, there: list[Bundle]) -> None:
    """Push a rerun of the oldest release."""
    replace_all(results, [each for each in there if each.run.release == "17"])


def replace_the_newest(results: Path, there: list[Bundle]) -> None:
    """Push a rerun of the newest release."""
    replace_all(results, [each for each in there if each.run.release == "18"])


def begin_first(results: Path, _: list[Bundle]) -> None:
    """Push a run of another host and an older release that began before all others."""
    started = datetime(1971, 1, 1, tzinfo=UTC)
    accepted(results, {"release": "0", "host": "stranger", "started": started} | OTHER)


def withdraw_all(results: Path, there: list[Bundle]) -> None:
    """Write a correction for each run."""
    directory = results.parent / "corrections" / "postgres-releases"
    directory.mkdir(parents=True)
    for run in there:
        text = f'kind = "invalid"\nrun = "{run.run_id}"\nreason = "The disk was full."\n'
        (directory / f"2026-11-24-{run.run_id}.toml").write_text(text)


def page_after(work: Path, push: Push | None) -> str:
    """Return the text of the report's page, as it is after a push."""
    request = small_site(work)
    text = request.content / "reports" / "postgres-releases" / "_index.md"
    text.parent.mkdir(parents=True)
    calls = [
        " ".join((name, *(f'"{each}"' for each in arguments.split())))
        for name, calls in CALLS.items()
        for arguments in calls
    ]
    text.write_text(FRONT + "\n\n".join(f"{{{{< {call} >}}}}" for call in calls) + "\n")
    if push:
        runs = [read_bundle(each.parent, "run")[0] for each in request.results.rglob("run.toml")]
        push(request.results, [run for run in runs if run is not None])
    build(request, quiet)
    page = request.out / "reports" / "postgres-releases" / "index.html"
    return unescape(page.read_text().replace("<wbr>", ""))


def test_every_shortcode_is_called() -> None:
    assert CALLS.keys() == ARGUMENTS.keys()


@pytest.mark.slow
def test_a_text_whose_runs_count_shows_them(tmp_path: Path) -> None:
    page = page_after(tmp_path, None)
    assert "<flame-graph" in page
    assert "no profile" not in page


@pytest.mark.slow
@pytest.mark.parametrize(
    ("push", "said"),
    [
        (replace_all, "no profile of select on 18: superseded by 20261123-000000-"),
        (replace_the_base, "17: superseded by 20261123-000000-"),
        (replace_the_newest, "no profile of select on 18: superseded by 20261123-000000-"),
        (begin_first, "no profile of select on 18"),
        (withdraw_all, "no profile of select on 18: invalid: The disk was full"),
    ],
    ids=lambda each: getattr(each, "__name__", ""),
)
def test_a_text_whose_runs_are_withdrawn_says_why(tmp_path: Path, push: Push, said: str) -> None:
    assert said in page_after(tmp_path, push)
