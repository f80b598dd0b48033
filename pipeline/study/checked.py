"""Refuses bundles whose files must not be published, however they came into the results."""

from collections.abc import Sequence

import msgspec

from pipeline.build.cache import Cache, key_of, python_version_key
from pipeline.bundle.contents import check_contents
from pipeline.bundle.read import Bundle
from pipeline.problems import Problem

ANSWER = "problems.json"


def without_refused(
    bundles: Sequence[Bundle], cache: Cache
) -> tuple[tuple[Bundle, ...], list[Problem]]:
    """Return the bundles whose files hold no secret and unpack to no flood, and what others hold.

    Every byte is looked at once; what was found is kept by the bundle's content. Warnings are left
    to the readers of the files, which tell of the same damage.
    """
    kept: list[Bundle] = []
    problems: list[Problem] = []
    for bundle in bundles:
        errors = [each for each in _looked_through(bundle, cache) if each.severity == "error"]
        problems += errors
        if not errors:
            kept.append(bundle)
    return tuple(kept), problems


def _looked_through(bundle: Bundle, cache: Cache) -> list[Problem]:
    key = key_of(python_version_key(), bundle.content_hash, bundle.shown_as)
    directory = cache.directory("check", key)
    if not directory.is_dir():
        with cache.filling("check", key) as filling:
            found = msgspec.json.encode(check_contents(bundle))
            (filling / ANSWER).write_bytes(found)
    return msgspec.json.decode((directory / ANSWER).read_bytes(), type=list[Problem])
