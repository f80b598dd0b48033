"""Results of pure functions, kept by the hash of their inputs until the next build.

A function that is called for each stretch of a series, or each window of releases, has few new
results where a run was added. One entry of the cache holds all results of a name: those that the
last build asked for. What is too large for that has an entry of its own.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from tempfile import TemporaryFile
from typing import BinaryIO, TypeVar, cast

import msgspec

from perfpress.base.cache import Cache, key_of, python_version_key

STAGE = "results-of-functions"

Result = TypeVar("Result")

Kept = Callable[[object, Callable[[], Result]], Result]
"""Returns the result of the inputs, which are plain data: made now, where it is not known."""


def made_now(_inputs: object, make: Callable[[], Result]) -> Result:
    """Return a result that nobody keeps."""
    return make()


class KeptResults:
    """The results in a cache, or of one build alone where there is none."""

    def __init__(self, cache: Cache | None = None) -> None:
        self._cache = cache

    def new_file(self) -> BinaryIO:
        """Return a file without a buffer on the disk of the cache, gone when nobody holds it."""
        directory = self._cache.root if self._cache else None
        return cast(BinaryIO, TemporaryFile(buffering=0, dir=directory))

    def encoded(self, stage: str, inputs: object, make: Callable[[], bytes]) -> bytes:
        """Return a result in MessagePack, which has an entry of its own.

        Args:
            stage: that makes it.
            inputs: plain data.
            make: called where it is not known.
        """
        key = key_of(python_version_key(), inputs)
        known = self._cache.find_value(stage, key, msgspec.Raw) if self._cache else None
        if known is not None:
            return bytes(known)
        made = make()
        if self._cache:
            self._cache.keep_value(stage, key, msgspec.Raw(made))
        return made

    @contextmanager
    def of(self, name: Sequence[str], of_type: type[Result]) -> Iterator[Kept[Result]]:
        """Give a function that knows the results of a name, and keep what it was asked for.

        Args:
            name: tells which function it is, and what of: the inputs of others are unlike.
            of_type: of its results.
        """
        key = key_of(python_version_key(), list(name))
        found = self._cache.find_value(STAGE, key, dict[str, of_type]) if self._cache else None  # type: ignore[valid-type]
        known: dict[str, Result] = found or {}
        used: dict[str, Result] = {}

        def result(inputs: object, make: Callable[[], Result]) -> Result:
            made_from = key_of(inputs)
            if made_from not in used:
                used[made_from] = known[made_from] if made_from in known else make()
            return used[made_from]

        yield result
        if self._cache and (found is None or used.keys() != known.keys()):
            self._cache.keep_value(STAGE, key, used)
