"""Every shortcode shows the same by the names of before a change as by those of now."""

import re
import shutil
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from bundle_samples import accepted, folded
from perfpress.build.stages import build
from perfpress.input.report.shortcodes import ARGUMENTS, VARIANT
from small_site import quiet, small_site

LOGS = Path(__file__).parents[2] / "input" / "logs" / "samples"
NAMES_OF_LOGS = ("sysbench-1.0-histogram.txt", "explain-trace.txt")
FRONT = """\
+++
title = "Servers"
default_variant = "socket2--small"
same_config = [["large", "huge"]]

[[drilldowns]]
name = "reading"
columns = [{ head = "all", path = "a" }]

[[calltrees]]
name = "tree"
root = "a"
+++

"""
RUNS = (("17-beta", "small"), ("18", "small"), ("17-beta", "large"), ("18", "huge"))
"""By release and configuration: the last two count as one variant."""
RENAMES = {"step": ("read", "select"), "release": ("17-beta", "17")}
NOW = {"NEW": "18", "STEP": "select", "OLD": "17", "VARIANT": "socket2--large"}
FORMER = (
    {"STEP": "read"},
    {"OLD": "17-beta"},
    {"VARIANT": "socket2--huge"},
    {"STEP": "read", "OLD": "17-beta", "VARIANT": "socket2--huge"},
)
CALLS = {
    "cell": [f"{place}/STEP/{of}" for place in ("OLD", "NEW") for of in ("throughput", "cost")],
    "throughput": ["", "throughput-VARIANT"],
    "relative": ["", "against-base-VARIANT", "against-previous-VARIANT"],
    "releases": ["", "by-release-VARIANT"],
    "chart": ["STEP"],
    "latency": ["STEP"],
    "percentiles": ["STEP"],
    "drilldown": ["reading", "reading/STEP", "reading path"],
    "calltree": ["tree", "tree/STEP"],
    "verdicts": ["OLD", "NEW STEP"],
    "suspects": ["NEW STEP", "NEW STEP OLD", "OLD STEP"],
    "flamegraph": ["OLD STEP", "NEW STEP"],
    "diff": ["NEW STEP OLD"],
    "trace": ["OLD STEP", "NEW STEP 1", "NEW STEP 2"],
}
"""Every shortcode, with arguments in which words of `NOW` stand for names."""


def written(shortcode: str, arguments: str, names: dict[str, str], *, with_variant: bool) -> str:
    """Return a call with names in the place of the words for them."""
    values = re.sub("|".join(NOW), lambda word: (NOW | names)[word[0]], arguments).split()
    given = dict(zip((each.name for each in ARGUMENTS[shortcode]), values, strict=False))
    if with_variant:
        given[VARIANT.name] = (NOW | names)["VARIANT"]
    return " ".join((shortcode, *(f'{name}="{value}"' for name, value in given.items())))


def groups_of_calls() -> Iterator[list[str]]:
    """Yield calls that show the same: by the names of now twice, then by those of before."""
    for shortcode, calls in CALLS.items():
        for arguments in calls:
            for with_variant in (False, True):
                yield [
                    written(shortcode, arguments, names, with_variant=with_variant)
                    for names in ({}, {}, *FORMER)
                ]


def shown_by(work: Path, calls: list[str]) -> dict[str, list[str]]:
    """Return what the page of a report shows by each call, as text, the places in order."""
    request = small_site(work)
    shutil.rmtree(request.results)
    files = {name: (LOGS / name).read_bytes() for name in NAMES_OF_LOGS}
    for at, (release, config) in enumerate(RUNS):
        step = {"name": "read", "operation": "transaction", "logs": list(files)}
        step["captures"] = ["cpu.folded.gz"]
        facts: dict[str, Any] = {"release": release, "config": config, "step": [step]}
        facts["started"] = datetime(2026, 1, 1 + at, tzinfo=UTC)
        accepted(request.results, facts, files | {"cpu.folded.gz": folded(400 + at)})
    corrections = work / "corrections" / "postgres-releases"
    corrections.mkdir(parents=True)
    for what, (old, new) in RENAMES.items():
        text = f'kind = "rename"\nwhat = "{what}"\nfrom = "{old}"\nto = "{new}"\nreason = "x"\n'
        (corrections / f"2026-01-01-{what}.toml").write_text(text)
    text_file = request.content / "reports" / "postgres-releases" / "_index.md"
    text_file.parent.mkdir(parents=True)
    text = "".join(f"PLACE\n\n{{{{< {call} >}}}}\n\n" for call in calls)
    text_file.write_text(f"{FRONT}{text}PLACE\n")
    build(request, quiet)
    page = (request.out / "reports" / "postgres-releases" / "index.html").read_text()
    found: dict[str, list[str]] = {}
    for call, html in zip(calls, page.split("PLACE")[1:-1], strict=True):
        found.setdefault(call, []).append(" ".join(re.sub(r"<[^>]*>", " ", html).split()))
    return found


def shows(shown: dict[str, list[str]], shortcode: str) -> bool:
    """Return whether a shortcode shows more than reasons why there is nothing."""
    texts = [texts[0] for call, texts in shown.items() if call.split()[0] == shortcode]
    return any(text and not text.startswith("Warning. no ") for text in texts)


@pytest.mark.slow
def test_every_shortcode_takes_the_names_of_before(tmp_path: Path) -> None:
    groups = list(groups_of_calls())
    shown = shown_by(tmp_path, [call for group in groups for call in group])
    different = {
        call: (shown[call][-1], shown[group[0]][-1])
        for group in groups
        for call in group[2:]
        if shown[call][-1] != shown[group[0]][-1]
    }
    assert different == {}
    assert {name for name in CALLS if not shows(shown, name)} == set()


def test_every_shortcode_is_called() -> None:
    assert CALLS.keys() == ARGUMENTS.keys()
