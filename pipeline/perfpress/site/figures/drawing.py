"""Has Node draw what is not in the cache yet."""

from collections.abc import Iterable
from itertools import islice
from pathlib import Path
from typing import TypeVar

from perfpress.base.node.jobs import Done, Job, run_jobs
from perfpress.base.node.messages.message import Answer, Request
from perfpress.base.node.requests import CHARTS
from perfpress.base.pace import Pace
from perfpress.base.problems import Problem
from perfpress.site.context import SiteContext

Key = TypeVar("Key")
A = TypeVar("A", bound=Answer)

AT_ONCE = 4096
"""Jobs in memory at a time: each request holds all numbers of its drawing."""
GRAPHS_AT_ONCE = 16
"""Jobs per process before results are cached: a graph takes a second."""
CHARTS_AT_ONCE = 256
"""A chart with its picture takes about 30 ms."""


def draw_all(
    what: str,
    script: Path,
    jobs: Iterable[tuple[Key, Job[Request[A]]]],
    context: SiteContext,
    problems: list[Problem],
    new: int = 0,
) -> dict[Key, Done[A]]:
    """Draw what is not in the cache yet; add why others could not be drawn to the problems.

    Args:
        what: is drawn, for messages.
        script: of the Node package.
        jobs: all of them, by key.
        context: of the site.
        problems: found so far.
        new: how many of them were drawn just before.
    """
    made: dict[Key, Done[A]] = {}
    count = 0

    def count_new(done: int, missing: int) -> None:
        nonlocal new
        new += 0 if done else missing
        if len(some) < AT_ONCE:  # else nobody has counted what follows
            pace.show(done, missing)

    pending = iter(jobs)
    at_once = CHARTS_AT_ONCE if script == CHARTS else GRAPHS_AT_ONCE
    while some := dict(islice(pending, AT_ONCE)):
        own = list(some.values())
        pace = Pace(context.progress, f"render {what}")
        outcomes = run_jobs(context.cache, script, own, context.processes, count_new, at_once)
        problems.extend(problem for each in outcomes for problem in each.problems)
        made |= {
            key: each for key, each in zip(some, outcomes, strict=True) if isinstance(each, Done)
        }
        count += len(own)
    context.progress(f"render: {new} of {count} {what} are new")
    return made
