"""The files of a bundle in few bytes: a large archive has a hundred thousand."""

from array import array
from collections.abc import Sequence
from functools import lru_cache
from typing import overload

from perfpress.input.bundles.content_hash import FileFact

DIGEST = 32
"""Bytes of a checksum."""


class PackedFiles(Sequence[FileFact]):
    """Files with their checksums; names that bundles have alike are one object."""

    __slots__ = ("_digests", "_names", "_sizes")

    def __init__(self, files: Sequence[FileFact]) -> None:
        self._names = _shared(tuple(each.name for each in files))
        self._sizes = array("Q", [each.size for each in files])
        self._digests = bytes.fromhex("".join(each.sha256 for each in files))

    @overload
    def __getitem__(self, at: int) -> FileFact: ...
    @overload
    def __getitem__(self, at: slice) -> tuple[FileFact, ...]: ...
    def __getitem__(self, at: int | slice) -> FileFact | tuple[FileFact, ...]:
        """Make the facts of a file, or of several."""
        if isinstance(at, slice):
            return tuple(map(self.__getitem__, range(len(self))[at]))
        start = DIGEST * range(len(self))[at]
        digest = self._digests[start : start + DIGEST]
        return FileFact(self._names[at], self._sizes[at], digest.hex())

    def __len__(self) -> int:
        """Return the number of files."""
        return len(self._names)

    def __eq__(self, other: object) -> bool:
        """Return whether another sequence has the same files."""
        return isinstance(other, Sequence) and tuple(self) == tuple(other)

    def __hash__(self) -> int:
        """Return the hash of the files, equal to that of a tuple."""
        return hash(tuple(self))


@lru_cache(maxsize=8192)
def _shared(names: tuple[str, ...]) -> tuple[str, ...]:
    """Return one object for equal ones."""
    return names
