"""Copies files of an archive into a bundle, without their secrets, in bounded memory."""

import gzip
import lzma
import os
import shutil
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, cast

import zstandard

from perfpress.base.limits import LIMITS
from perfpress.base.secrets.pieces import pieces
from perfpress.base.secrets.redact import redact_bytes
from perfpress.input.bundles.compression import compression
from perfpress.input.bundles.contents import SUFFIXES
from perfpress.input.logs.text_lines import HEAD, TextLines


class TooLarge(Exception):
    """A file unpacks to more than a bundle may hold."""


class BrokenOff(Exception):
    """A file breaks off, and its copy could not show that."""


TRAILERS = {".gz": 8, ".zst": 3, ".xz": 12}
"""Bytes at the end of packed data without which all of it can be read, and seen to break off."""


@dataclass
class Copied:
    """What was found while a file was copied."""

    redacted: Counter[str] = field(default_factory=Counter)
    broken: str = ""
    """What is wrong with its compressed data, and with the copy's."""


def copy_without_secrets(source: Path, target: Path) -> Copied:
    """Copy a file, compressed according to the name of the target.

    The copy of what breaks off does so too: byte for byte, or behind the last byte that was read,
    where secrets were taken out.

    Raises:
        OSError: it cannot be read or written.
        BrokenOff: it breaks off, and the copy would be plain, without secrets that it holds.
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
        if lines.broken:
            file.flush()  # zstd then has nothing but a trailer to write
    copied.broken = lines.broken
    if copied.broken:
        _break_off(source, target, copied)
    return copied


def _break_off(source: Path, target: Path, copied: Copied) -> None:
    packing = _packing(source)
    if not copied.redacted and packing == SUFFIXES.get(target.suffix, packing):
        shutil.copyfile(source, target)
    elif target.suffix in TRAILERS:
        os.truncate(target, target.stat().st_size - TRAILERS[target.suffix])
    else:
        raise BrokenOff(f"{copied.broken}, and holds a secret: {', '.join(copied.redacted)}")


def _packing(path: Path) -> str:
    with path.open("rb") as file:
        return compression(file.read(HEAD))


def _bounded(blocks: Iterable[bytes], most: int) -> Iterator[bytes]:
    total = 0
    for block in blocks:
        total += len(block)
        if total > most:
            raise TooLarge(f"{most / 1e6:.0f} MB")
        yield block


@contextmanager
def _packed(target: Path) -> Iterator[IO[bytes]]:
    """Open a file to write, compressed according to its name; the same bytes at any time."""
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
