"""Reads bundles; one whose files have not changed since comes from the cache.

Steps and names of files that several runs state alike are one object: most of an archive's are.
"""

from dataclasses import replace
from functools import lru_cache
from pathlib import Path

import msgspec

from perfpress.base.cache import Cache, key_of, python_version_key
from perfpress.base.file_tree import settled_state
from perfpress.base.problems import Problem
from perfpress.input.bundles.packed_files import PackedFiles
from perfpress.input.bundles.read import Bundle, read_bundle
from perfpress.input.bundles.schema import Step

STAGE = "bundles"


def read_cached(
    cache: Cache, directory: Path, shown_as: str
) -> tuple[Bundle | None, list[Problem]]:
    """Return what `read_bundle` does; a bundle that is refused is read each time."""
    state = settled_state(directory)
    key = key_of(python_version_key(), shown_as, state)
    if state and (cached := cache.find_value(STAGE, key, tuple[Bundle, list[Problem]])):
        bundle, problems = cached
        return _with_shared_parts(replace(bundle, directory=directory)), problems
    read, problems = read_bundle(directory, shown_as)
    if state and read is not None and settled_state(directory) == state:
        cache.keep_value(STAGE, key, (read, problems))
    return read and _with_shared_parts(read), problems


def _with_shared_parts(bundle: Bundle) -> Bundle:
    stated, steps = (
        tuple(_shared(msgspec.msgpack.encode(step)) for step in each)
        for each in (bundle.run.steps, bundle.steps)
    )
    return replace(
        bundle,
        run=msgspec.structs.replace(bundle.run, steps=stated),
        steps=steps,
        files=PackedFiles(bundle.files),
    )


@lru_cache(maxsize=8192)
def _shared(encoded: bytes) -> Step:
    return msgspec.msgpack.decode(encoded, type=Step)
