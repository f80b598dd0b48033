"""Bundles as they were read before: where no file has changed since, none is read again.

Steps that several runs state alike are one object: most of an archive's are.
"""

from dataclasses import dataclass, fields, replace
from functools import lru_cache
from pathlib import Path

import msgspec

from perfpress.base.cache import Cache, key_of, python_version_key, settled_state
from perfpress.base.problems import Problem
from perfpress.input.bundles.content_hash import FileFact
from perfpress.input.bundles.read import Bundle, read_bundle
from perfpress.input.bundles.schema import Run, Step
from perfpress.input.bundles.variant import Variant

STAGE = "bundles"


class KnownBundle(msgspec.Struct, frozen=True, kw_only=True):
    """A `Bundle` without its directory, and what was wrong with it."""

    shown_as: str
    run: Run
    run_id: str
    content_hash: str
    variant: Variant
    steps: tuple[Step, ...]
    files: tuple[FileFact, ...]
    archived: str
    problems: tuple[Problem, ...]


@dataclass(frozen=True)
class KnownBundles:
    """Reads bundles, or finds them in a cache."""

    cache: Cache

    def read(self, directory: Path, shown_as: str) -> tuple[Bundle | None, list[Problem]]:
        """Return what `read_bundle` does; a bundle that is refused is read each time."""
        state = settled_state(directory)
        key = key_of(python_version_key(), shown_as, state)
        known = self.cache.find_value(STAGE, key, KnownBundle) if state else None
        if known is not None:
            values = {name: getattr(known, name) for name in _SHARED}
            return _with_shared_steps(Bundle(directory=directory, **values)), list(known.problems)
        bundle, problems = read_bundle(directory, shown_as)
        if state and bundle is not None and settled_state(directory) == state:
            values = {name: getattr(bundle, name) for name in _SHARED}
            self.cache.keep_value(STAGE, key, KnownBundle(**values, problems=tuple(problems)))
        return bundle and _with_shared_steps(bundle), problems


_SHARED = [each.name for each in fields(Bundle) if each.name != "directory"]


def _with_shared_steps(bundle: Bundle) -> Bundle:
    stated, steps = (
        tuple(_shared(msgspec.msgpack.encode(step)) for step in each)
        for each in (bundle.run.steps, bundle.steps)
    )
    return replace(bundle, run=msgspec.structs.replace(bundle.run, steps=stated), steps=steps)


@lru_cache(maxsize=8192)
def _shared(encoded: bytes) -> Step:
    return msgspec.msgpack.decode(encoded, type=Step)
