"""Copies files of an archive into a bundle, without their secrets, in bounded memory."""

import gzip
import lzma
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, cast

import zstandard

from pipeline.bundle.safety import LIMITS
from pipeline.bundle.secrets import redact_bytes
from pipeline.bundle.text_pieces import pieces
from pipeline.logs.open import TextLines


class TooLarge(Exception):
    """A file unpacks to more than a bundle may hold."""


@dataclass
class Copied:
    """What was found while a file was copied."""

    redacted: Counter[str] = field(default_factory=Counter)
    broken: str = ""
    """What is wrong with its compressed data; what stands before that was copied."""


def copy_without_secrets(source: Path, target: Path) -> Copied:
    """Copy a file, packed as the ending of the target says, plain or packed as it was.

    Raises:
        OSError: it cannot be read or written.
        TooLarge: it unpacks to more than any file of a bundle may.
    """
    lines = TextLines(source)
    copied = Copied()
    stored = source.stat().st_size
    most = min(LIMITS.plain_bytes, max(stored * LIMITS.ratio, LIMITS.ratio_from_bytes))
    with _packed(target) as file:
        for piece in pieces(_bounded(lines.blocks(), most)):
            redacted, found = redact_bytes(piece)
            copied.redacted.update(found)
            file.write(redacted)
    copied.broken = lines.broken
    return copied


def _bounded(blocks: Iterable[bytes], most: int) -> Iterator[bytes]:
    total = 0
    for block in blocks:
        total += len(block)
        if total > most:
            raise TooLarge(f"{most / 1e6:.0f} MB")
        yield block


@contextmanager
def _packed(target: Path) -> Iterator[IO[bytes]]:
    """Open a file to write, compressed as its ending says; the same bytes at any time."""
    with target.open("wb") as raw:
        if target.suffix == ".gz":
            with gzip.GzipFile(
                filename="", mode="wb", compresslevel=6, fileobj=raw, mtime=0
            ) as file:
                yield cast(IO[bytes], file)
        elif target.suffix == ".zst":
            with zstandard.ZstdCompressor().stream_writer(raw, closefd=False) as packed:
                yield cast(IO[bytes], packed)
        elif target.suffix == ".xz":
            with lzma.open(raw, "wb") as unpacked:
                yield unpacked
        else:
            yield raw
