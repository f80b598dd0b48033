"""Packs that no git writes, put into a repository by hand: few bytes that make large objects."""

import hashlib
import struct
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

BLOB, OFFSET_DELTA = 3, 6
LARGEST_COPY = 0xFFFFFF
"""Bytes that one instruction of a delta copies."""


class Packed(NamedTuple):
    """An object of a pack."""

    name: str
    kind: int
    size: int
    data: bytes
    """Compressed."""
    above: int = 0
    """How many objects before it its base is; 0 where it has none."""


def huge_file(size: int) -> list[Packed]:
    """Return a file of zeros, compressed to a thousandth."""
    compressor = zlib.compressobj()
    data = b"".join(compressor.compress(part) for part in _zeros(size)) + compressor.flush()
    return [Packed(_name(size), BLOB, size, data)]


def delta_bomb(copies: int) -> list[Packed]:
    """Return 16 MB of zeros, and a few bytes that make so many times as much of it."""
    size = copies * LARGEST_COPY
    delta = _length(LARGEST_COPY) + _length(size) + b"\xf0\xff\xff\xff" * copies
    made = Packed(_name(size), OFFSET_DELTA, len(delta), zlib.compress(delta), above=1)
    return [*huge_file(LARGEST_COPY), made]


def delta_chain(length: int) -> list[Packed]:
    """Return files that each are the one before it and another byte."""
    content = b"x" * 100
    chain = [Packed(_name_of(content), BLOB, len(content), zlib.compress(content))]
    for _ in range(length):
        # Copy all of the base from its beginning (size in two bytes), then insert one byte.
        copy = b"\xb0" + struct.pack("<H", len(content))
        delta = _length(len(content)) + _length(len(content) + 1) + copy + b"\x01y"
        content += b"y"
        data = zlib.compress(delta)
        chain.append(Packed(_name_of(content), OFFSET_DELTA, len(delta), data, above=1))
    return chain


def install(repository: Path, objects: list[Packed]) -> None:
    """Put objects into a repository; git looks at none of them."""
    write_pack(repository / "objects" / "pack", objects)


def write_pack(directory: Path, objects: list[Packed]) -> Path:
    """Write a pack and its index; return the pack."""
    packed = b"PACK" + struct.pack(">LL", 2, len(objects))
    starts: list[int] = []
    for each in objects:
        starts.append(len(packed))
        packed += _head(each.kind, each.size)
        if each.above:
            packed += _distance(starts[-1] - starts[-1 - each.above])
        packed += each.data
    checksum = hashlib.sha1(packed).digest()
    names = sorted((bytes.fromhex(each.name), at) for each, at in zip(objects, starts, strict=True))
    counts = [sum(name[0] <= first for name, _ in names) for first in range(256)]
    index = struct.pack(">256L", *counts)
    index += b"".join(struct.pack(">L", at) + name for name, at in names) + checksum
    path = directory / f"pack-{checksum.hex()}"
    path.with_suffix(".pack").write_bytes(packed + checksum)
    path.with_suffix(".idx").write_bytes(index + hashlib.sha1(index).digest())
    return path.with_suffix(".pack")


def _zeros(size: int) -> Iterator[bytes]:
    part = bytes(1 << 20)
    for start in range(0, size, len(part)):
        yield part[: size - start]


def _name(size: int) -> str:
    """Return git's name of a file of zeros."""
    name = hashlib.sha1(b"blob %d\0" % size)
    for part in _zeros(size):
        name.update(part)
    return name.hexdigest()


def _name_of(content: bytes) -> str:
    return hashlib.sha1(b"blob %d\0" % len(content) + content).hexdigest()


def _length(number: int) -> bytes:
    """Return a length as deltas begin: seven bits a byte, the lowest first."""
    out = b""
    while number > 0x7F:
        out += bytes([number & 0x7F | 0x80])
        number >>= 7
    return out + bytes([number])


def _head(kind: int, size: int) -> bytes:
    first = kind << 4 | size & 15
    return bytes([first | 0x80]) + _length(size >> 4) if size > 15 else bytes([first])


def _distance(number: int) -> bytes:
    """Return how far back the base of a delta begins: the highest seven bits first."""
    out = bytes([number & 0x7F])
    while number := number >> 7:
        number -= 1
        out = bytes([number & 0x7F | 0x80]) + out
    return out
