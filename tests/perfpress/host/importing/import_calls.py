"""Calls `perfpress import`, and looks at what it made."""

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from perfpress.analysis.study.measured import measurements, read_logs
from perfpress.input.bundles.contents import check_contents
from perfpress.input.bundles.discover import discover
from perfpress.input.bundles.read import Bundle

MAP = Path("study.sysbench.toml")
SVG_MAP = Path("study.svg.toml")
KNOWN = ("--host", "lab1", "--benchmark", "some")


class Answer(NamedTuple):
    """What a call printed, and its exit status."""

    status: int
    out: str
    err: str


Import = Callable[..., Answer]


def bundles() -> list[Bundle]:
    """Return what was imported, after all that `perfpress check` looks at."""
    found, problems = discover(Path("results"), "results")
    assert problems == []
    assert [problem for bundle in found for problem in check_contents(bundle)] == []
    return list(found)


def steps(bundle: Bundle) -> list[str]:
    return sorted(step.name for step in bundle.steps)


def rate_of(bundle: Bundle, name: str) -> float:
    """Return the throughput of a step, as pages show it."""
    step = next(step for step in bundle.steps if step.name == name)
    return measurements(step, read_logs(bundle, (step,))[0])["throughput"].value


def edited(old: str, new: str, path: Path = MAP) -> None:
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new, 1))
