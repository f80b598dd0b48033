"""Reads bundles; one whose files have not changed since comes from the cache.

Steps and names of files that several runs state alike are one object, decoded once: most of an
archive's are.
"""

from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from types import MappingProxyType

import msgspec

from perfpress.base.cache import Cache, key_of, python_version_key
from perfpress.base.file_tree import settled_state
from perfpress.base.problems import Problem
from perfpress.input.bundles.packed_files import PackedFiles
from perfpress.input.bundles.read import Bundle, read_bundle
from perfpress.input.bundles.schema import Step

STAGE = "bundles"


class Kept(msgspec.Struct, frozen=True, array_like=True):
    """A bundle and what is wrong with it, as the cache holds it."""

    bundle: Bundle
    """Without its steps, but for one that its run.toml has to have."""
    stated: msgspec.Raw
    """The steps of its run.toml."""
    steps: msgspec.Raw
    """The same with patterns resolved."""
    problems: list[Problem]

    @classmethod
    def of(cls, bundle: Bundle, problems: list[Problem]) -> "Kept":
        """Return a bundle that was just read."""
        run = msgspec.structs.replace(bundle.run, steps=bundle.run.steps[:1])
        stated, steps = map(msgspec.msgpack.encode, (bundle.run.steps, bundle.steps))
        own = replace(bundle, run=run, steps=(), files=tuple(bundle.files))
        return cls(own, msgspec.Raw(stated), msgspec.Raw(steps), problems)

    def read(self, directory: Path) -> tuple[Bundle, list[Problem]]:
        """Return the bundle of a directory, with what others share, and its problems."""
        stated, steps = (_steps(bytes(each)) for each in (self.stated, self.steps))
        run = msgspec.structs.replace(self.bundle.run, steps=stated)
        files = PackedFiles(self.bundle.files)
        return replace(
            self.bundle, directory=directory, run=run, steps=steps, files=files
        ), self.problems


def read_cached(
    cache: Cache, directory: Path, shown_as: str, states: Mapping[str, str] = MappingProxyType({})
) -> tuple[Bundle | None, list[Problem]]:
    """Return what `read_bundle` does; a bundle that is refused is read each time.

    Args:
        cache: knows bundles.
        directory: of a bundle.
        shown_as: its name in messages.
        states: of directories, by their paths, where the build has asked for them.
    """
    state = states.get(str(directory)) or settled_state(directory)
    key = key_of(python_version_key(), shown_as, state)
    if state and (known := cache.find_value(STAGE, key, Kept)):
        return known.read(directory)
    read, problems = read_bundle(directory, shown_as)
    if read is None:
        return None, problems
    kept = Kept.of(read, problems)
    if state and settled_state(directory) == state:
        cache.keep_value(STAGE, key, kept)
    return kept.read(directory)


@lru_cache(maxsize=1024)
def _steps(encoded: bytes) -> tuple[Step, ...]:
    steps = msgspec.msgpack.decode(encoded, type=tuple[msgspec.Raw, ...])
    return tuple(_step(bytes(each)) for each in steps)


@lru_cache(maxsize=8192)
def _step(encoded: bytes) -> Step:
    return msgspec.msgpack.decode(encoded, type=Step)
