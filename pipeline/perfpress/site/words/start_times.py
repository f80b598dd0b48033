"""Warns of repeats without a start time: what days differ by is then missing from their noise."""

from collections.abc import Iterable, Sequence

from perfpress.analysis.study.study import StepRun
from perfpress.base.display import plural
from perfpress.site.shapes.blocks import Notice

SEEN_AT = "/docs/verdicts/#noise-window"
"""Where it is explained what the noise model cannot see."""


def start_time_notices(cells: Iterable[Sequence[StepRun]]) -> tuple[Notice, ...]:
    """Return a warning where repeats in some cells do not say when they started."""
    repeats = {
        run_id for runs in cells if len(unknown := _without_start(runs)) > 1 for run_id in unknown
    }
    if not repeats:
        return ()
    text = (
        f"{plural(len(repeats), 'repeat')} without a start time: verdicts take them for runs of "
        "any day. Made on one day, they hide what days differ by, and verdicts are surer than they "
        "should be. State started in run.toml."
    )
    return (Notice(kind="warning", text=text, url=SEEN_AT),)


def _without_start(runs: Sequence[StepRun]) -> set[str]:
    return {
        each.bundle.run_id
        for each in runs
        if each.exclusion is None and each.bundle.run.started is None
    }
