"""Cuts text into pieces in which secrets are looked for."""

from collections.abc import Iterable, Iterator

PIECE = 1 << 14
"""Bytes of text searched at a time: few, for what holds no hint of a secret is passed quickly."""

LONGEST_LINE = 1 << 20
"""Bytes; a longer one is searched in parts."""

KEY_BEGINS = b"-----BEGIN"
KEY_ENDS = b"-----END"
LONGEST_KEY = 9000
"""Bytes of the one kind of secret that stands on many lines, with room."""


def pieces(blocks: Iterable[bytes]) -> Iterator[bytes]:
    """Yield pieces that end where a line does, and hold private keys whole."""
    held = b""
    for block in blocks:
        held += block
        start = 0
        while len(held) - start >= PIECE + LONGEST_KEY:
            end = _end_of_piece(held, start)
            if end == start:
                break
            yield held[start:end]
            start = end
        held = held[start:]
    if held:
        yield held


def _end_of_piece(held: bytes, start: int) -> int:
    """Return where the piece ends that begins at `start`; there, where its line is not whole."""
    end = held.rfind(b"\n", start, start + PIECE) + 1
    if not end:
        end = held.find(b"\n", start + PIECE) + 1
    if not end:
        return len(held) if len(held) - start > LONGEST_LINE else start
    begin = held.rfind(KEY_BEGINS, max(start, end - LONGEST_KEY), end)
    return begin if begin > start and KEY_ENDS not in held[begin:end] else end
