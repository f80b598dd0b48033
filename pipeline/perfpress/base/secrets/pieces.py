"""Cuts a stream of bytes into pieces to search for secrets; no secret is split by a cut."""

from collections.abc import Iterable, Iterator

from perfpress.base.secrets.search import search

PIECE = 1 << 18
"""Bytes searched at a time."""

LONGEST_LINE = 1 << 20
"""Bytes; a longer one is cut."""

REACH = 10_000
"""Bytes on either side of a cut that are searched for a secret across it."""


def pieces(blocks: Iterable[bytes]) -> Iterator[bytes]:
    """Yield pieces that end where a line does, if it is no longer than `LONGEST_LINE`."""
    held = b""
    for block in blocks:
        held += block
        start = 0
        while len(held) - start >= PIECE + REACH:
            end = _end_of_piece(held, start)
            if end == start:
                break
            yield held[start:end]
            start = end
        held = held[start:]
    if held:
        yield held


def _end_of_piece(held: bytes, start: int) -> int:
    """Return where the piece ends that begins at `start`; there, where more has to be read."""
    end = held.rfind(b"\n", start, start + PIECE) + 1
    if not end:
        end = held.find(b"\n", start + PIECE) + 1
        if not end and len(held) - start > LONGEST_LINE + REACH:
            end = start + LONGEST_LINE
        if not end or len(held) - end < REACH:
            return start
    first = max(start, end - REACH)
    for found in search(held[first : end + REACH]):
        if found.match_start < end - first < found.match_end and first + found.match_start > start:
            return first + found.match_start
    return end
