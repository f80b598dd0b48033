"""Opens text, plain or compressed, recognized by its first bytes."""

import lzma
import re
import zlib
from collections.abc import Callable, Iterable, Iterator
from itertools import chain
from pathlib import Path
from typing import Any, Protocol

import zstandard

from perfpress.base.limits import LIMITS

COMPRESSED_CHUNK = 4096
"""Bytes read at a time. Small, so that one read decompresses to little, too: a zstd block of
4 bytes may expand to 128 KiB."""
PLAIN_CHUNK = 1 << 17

HEAD = 512
"""Bytes that hold the signatures of all file types."""

DOCUMENT = re.compile(rb"(?:\xef\xbb\xbf)?\s*(?:<|\{\s*(?:\"|$)|\[\s*(?:[\[{\"]|$))")
"""How SVG and JSON begin. A folded stack may begin with `{main}` or `[unknown]`."""


NUMBER_AT_END = re.compile(r"\d[.,]?$", re.ASCII)
"""`Requests/sec:  1237`, of which nothing shows whether it was 12375.80."""


class Decompressor(Protocol):
    """What zlib, lzma and zstandard have in common."""

    @property
    def eof(self) -> bool: ...  # noqa: D102
    @property
    def unused_data(self) -> bytes: ...  # noqa: D102
    def decompress(self, data: bytes, /) -> bytes: ...  # noqa: D102


GZIP_WINDOW = 31
"""`wbits` of zlib for a gzip header and the largest window."""

COMPRESSIONS: tuple[tuple[bytes, str, Callable[[], Any]], ...] = (
    (b"\x1f\x8b", "gzip", lambda: zlib.decompressobj(wbits=GZIP_WINDOW)),
    (b"\x28\xb5\x2f\xfd", "zstd", lambda: zstandard.ZstdDecompressor().decompressobj()),
    (b"\xfd7zXZ\x00", "xz", lzma.LZMADecompressor),
)


class TextLines:
    """The lines of a text file, without their ends; the file is read as they are asked for.

    A damaged file gives the lines before the damage; `broken` then says what is wrong with it.
    Bytes that are not UTF-8 come as U+FFFD. A line longer than `longest` comes as an empty one, so
    that the others keep their numbers; `too_long` then holds its number. Where the last
    line has no end, and a number there that may be cut off, `cut_line` is its number.

    Raises:
        OSError: from the iteration, when the file cannot be opened or read.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.broken = ""
        self.too_long: list[int] = []
        self.cut_line = 0
        self.longest = LIMITS.line_bytes
        """Bytes of a line; more where the file begins like a document that may be one line."""

    def __iter__(self) -> Iterator[str]:
        number = 1
        begun: list[bytes] = []
        length = 0
        head, blocks = with_head(self.blocks())
        self.longest = longest_line(head)
        for block in blocks:
            first, end, rest = block.partition(b"\n")
            if length <= self.longest:
                begun.append(first)
                length += len(first)
            if not end:
                continue
            yield self._text(b"".join(begun), number)
            number += 1
            # What follows the last line end of the block is the beginning of the next line.
            whole, end, left = rest.rpartition(b"\n")
            if end:
                lines = self._texts(whole, number)
                yield from lines
                number += len(lines)
            begun, length = [left], len(left)
        if length:
            last = self._text(b"".join(begun), number)
            if NUMBER_AT_END.search(last):
                self.cut_line = number
            yield last

    def _texts(self, lines: bytes, number: int) -> list[str]:
        """Return the lines of a piece of the file, decoded at once unless one may be too long."""
        if len(lines) > self.longest:
            return [self._text(line, at) for at, line in enumerate(lines.split(b"\n"), number)]
        text = lines.decode("utf-8", errors="replace")
        if "\r" in text:
            text = text.replace("\r\n", "\n").removesuffix("\r")
        return text.split("\n")

    def _text(self, line: bytes, number: int) -> str:
        if len(line) > self.longest:
            self.too_long.append(number)
            return ""
        return line.removesuffix(b"\r").decode("utf-8", errors="replace")

    def blocks(self) -> Iterator[bytes]:
        """Yield the decompressed bytes in pieces of any size."""
        with self.path.open("rb") as file:
            first = file.read(COMPRESSED_CHUNK)
            for magic, name, start in COMPRESSIONS:
                if first.startswith(magic):
                    raw = iter(lambda: file.read(COMPRESSED_CHUNK), b"")
                    yield from self._decompressed(first, raw, name, start)
                    return
            if first:
                yield first
            yield from iter(lambda: file.read(PLAIN_CHUNK), b"")

    def _decompressed(
        self, first: bytes, raw: Iterator[bytes], name: str, start: Callable[[], Decompressor]
    ) -> Iterator[bytes]:
        """Decompress one stream, or several end to end as `cat a.gz b.gz` leaves them."""
        stream = start()
        data = first
        try:
            while True:
                # Most of what comes out of many small members is nothing.
                if plain := stream.decompress(data):
                    yield plain
                if stream.eof and stream.unused_data.strip(b"\0"):
                    data, stream = stream.unused_data, start()
                    continue
                data = next(raw, b"")
                if not data:
                    break
                if stream.eof:
                    stream = start()
        except (zlib.error, lzma.LZMAError, zstandard.ZstdError) as error:
            self.broken = f"the {name} data is damaged ({error})"
            return
        if not stream.eof:
            self.broken = f"the {name} data breaks off"


def with_head(blocks: Iterable[bytes]) -> tuple[bytes, Iterator[bytes]]:
    """Return the first bytes, `HEAD` of them where there are as many; and all blocks."""
    rest = iter(blocks)
    first: list[bytes] = []
    length = 0
    while length < HEAD and (block := next(rest, None)) is not None:
        first.append(block)
        length += len(block)
    return b"".join(first)[:HEAD], chain(first, rest)


def longest_line(head: bytes) -> int:
    """Return how many bytes a line may have in a log that begins so."""
    return LIMITS.document_bytes if DOCUMENT.match(head) else LIMITS.line_bytes
