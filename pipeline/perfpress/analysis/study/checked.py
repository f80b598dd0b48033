"""Excludes bundles whose files must not be published, even if they are already in the results."""

from collections.abc import Sequence

import msgspec

from perfpress.base.cache import Cache, key_of, python_version_key
from perfpress.base.limits import budget_of
from perfpress.base.problems import Problem
from perfpress.base.workers import Fork, answering, failures, run_requests
from perfpress.input.bundles.contents import check_contents
from perfpress.input.bundles.read import Bundle

STAGE = "check"


def without_refused(
    bundles: Sequence[Bundle], cache: Cache
) -> tuple[tuple[Bundle, ...], list[Problem]]:
    """Return the bundles without secrets and decompression bombs, and the problems of the others.

    Every byte is looked at once; what was found is kept by the bundle's content. Warnings are left
    to the readers of the files, which report the same damage.
    """
    keys = [key_of(python_version_key(), each.content_hash, each.shown_as) for each in bundles]
    cache.bring(STAGE, keys)
    kept: list[Bundle] = []
    made: list[str] = []
    problems: list[Problem] = []
    for bundle, key in zip(bundles, keys, strict=True):
        found = cache.find_value(STAGE, key, list[Problem])
        if found is None:
            found = _look_through(bundle, key, cache)
            made.append(key)
        errors = [each for each in found if each.severity == "error"]
        problems += errors
        if not errors:
            kept.append(bundle)
    cache.send(STAGE, made)
    return tuple(kept), problems


def _look_through(bundle: Bundle, key: str, cache: Cache) -> list[Problem]:
    states = bundle.file_states()
    found = _within_budget(bundle)
    is_kept = bundle.file_states() == states and bundle.is_unchanged()
    if is_kept and not any(problem.is_defect for problem in found):
        cache.keep_value(STAGE, key, found)
    return found


def _within_budget(bundle: Bundle) -> list[Problem]:
    """Check a bundle in a worker process, as it may come from a stranger's pull request.

    `accept` judges what hosts pushed in such a process as a whole. Importing, drafting, `check`,
    `add` and `push` read what their user has, who can end them: they look through it themselves.
    """
    budget = budget_of(sum(file.size for file in bundle.files))
    look = Fork(answering(lambda _: check_contents(bundle)))
    (answer,) = run_requests(look, [{}], budgets=[budget])
    if answer["ok"]:
        return msgspec.convert(answer["result"], list[Problem])
    return failures(answer, bundle.shown_as, "looking through it")
