"""Excludes bundles whose files must not be published, even if they are already in the results."""

from collections.abc import Callable, Sequence
from itertools import islice

import msgspec

from perfpress.base.cache import Cache, key_of, python_version_key
from perfpress.base.limits import budget_of
from perfpress.base.pace import Pace
from perfpress.base.problems import Problem
from perfpress.base.workers import Fork, WorkerAnswer, answering, failures, run_requests
from perfpress.input.bundles.contents import check_contents
from perfpress.input.bundles.read import Bundle

STAGE = "check"
AT_ONCE = 64
"""Bundles that are looked through before what was found is kept."""


def without_refused(
    bundles: Sequence[Bundle],
    cache: Cache,
    processes: int = 1,
    progress: Callable[[str], None] = lambda _: None,
) -> tuple[tuple[Bundle, ...], list[Problem]]:
    """Return the bundles without secrets and decompression bombs, and the problems of the others.

    Every byte is looked at once; what was found is kept by the bundle's content. Warnings are left
    to the readers of the files, which report the same damage.
    """
    keys = [key_of(python_version_key(), each.content_hash, each.shown_as) for each in bundles]
    cache.bring(STAGE, keys)
    found = {key: cache.find_value(STAGE, key, list[Problem]) for key in keys}
    pending = {key: each for key, each in zip(keys, bundles, strict=True) if found[key] is None}
    pace = Pace(progress, "looking through new runs")
    # In slices, so that a build that dies keeps what it found until then.
    for start in range(0, len(pending), AT_ONCE):
        pace.show(start, len(pending))
        some = dict(islice(pending.items(), start, start + AT_ONCE))
        found |= _look_through(some, cache, processes)
    cache.send(STAGE, list(pending))
    refused = {
        key: errors
        for key, problems in found.items()
        if (errors := [each for each in problems or () if each.severity == "error"])
    }
    kept = tuple(each for key, each in zip(keys, bundles, strict=True) if key not in refused)
    return kept, [problem for key in keys for problem in refused.get(key, ())]


def _look_through(
    bundles: dict[str, Bundle], cache: Cache, processes: int
) -> dict[str, list[Problem]]:
    """Look through bundles in worker processes: they may come from a stranger's pull request.

    `accept` judges what hosts pushed in such a process as a whole. Importing, drafting, `check`,
    `add` and `push` read what their user has, who can end them: they look through it themselves.
    """

    def look(request: WorkerAnswer) -> list[Problem]:
        return check_contents(bundles[request["key"]])

    states = {key: bundle.file_states() for key, bundle in bundles.items()}
    answers = run_requests(
        Fork(answering(look)),
        [{"key": key} for key in bundles],
        processes,
        [budget_of(sum(file.size for file in bundle.files)) for bundle in bundles.values()],
    )
    found: dict[str, list[Problem]] = {}
    for (key, bundle), answer in zip(bundles.items(), answers, strict=True):
        found[key] = (
            msgspec.convert(answer["result"], list[Problem])
            if answer["ok"]
            else failures(answer, bundle.shown_as, "looking through it")
        )
        is_kept = bundle.file_states() == states[key] and bundle.is_unchanged()
        if is_kept and not any(problem.is_defect for problem in found[key]):
            cache.keep_value(STAGE, key, found[key])
    return found
