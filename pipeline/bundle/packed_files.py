"""Tells archives, and what was compressed twice, from their first bytes.

Nobody can look into them line by line, so that what they hold would be published unseen.
"""

from collections.abc import Iterable, Iterator
from itertools import chain

from pipeline.logs.open import COMPRESSIONS

HEAD = 512
"""Bytes that tell."""

CLOSED = (
    (0, b"PK\x03\x04", "a zip archive"),
    (0, b"PK\x05\x06", "a zip archive"),
    (0, b"7z\xbc\xaf\x27\x1c", "a 7z archive"),
    (0, b"Rar!\x1a\x07", "a rar archive"),
    (0, b"!<arch>\n", "an ar archive"),
    (0, b"\xed\xab\xee\xdb", "an rpm package"),
    (0, b"\x04\x22\x4d\x18", "lz4 data"),
    (0, b"\x1f\x9d", "data of compress"),
    (4, b"1AY&SY", "bzip2 data"),
    (257, b"ustar", "a tar archive"),
)
"""Where which bytes stand in what."""


def closed_to_view(head: bytes, is_unpacked: bool) -> str:
    """Say what cannot be looked into; an empty text where the file can be.

    Args:
        head: the first bytes of a file, unpacked.
        is_unpacked: whether they came out of a compressed file.
    """
    for at, magic, what in CLOSED:
        if head.startswith(magic, at):
            return what
    if is_unpacked and compression(head):
        return f"{compression(head)} data inside compressed data"
    return ""


def compression(head: bytes) -> str:
    """Return what a file is compressed by, as its first bytes tell; an empty text if by nothing."""
    return next((name for magic, name, _ in COMPRESSIONS if head.startswith(magic)), "")


def with_head(blocks: Iterable[bytes]) -> tuple[bytes, Iterator[bytes]]:
    """Return the first bytes, `HEAD` of them where there are as many; and all blocks."""
    rest = iter(blocks)
    first: list[bytes] = []
    while sum(map(len, first)) < HEAD and (block := next(rest, None)) is not None:
        first.append(block)
    return b"".join(first)[:HEAD], chain(first, rest)
