"""Recognizes archives, and what was compressed twice, by their first bytes.

Nobody can look into them line by line, so that what they hold would be published unseen.
"""

import zlib

from perfpress.input.logs.text_lines import COMPRESSIONS

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
"""Offset and signature of each format."""


def closed_to_view(head: bytes, is_unpacked: bool) -> str:
    """Say what cannot be looked into; an empty text where the file can be.

    Args:
        head: the first bytes of a file, unpacked.
        is_unpacked: whether they came out of a compressed file.
    """
    for at, magic, what in CLOSED:
        if head.startswith(magic, at):
            return what
    if _is_zlib(head):
        return "zlib data"
    if is_unpacked and compression(head):
        return f"{compression(head)} data inside compressed data"
    return ""


def _is_zlib(head: bytes) -> bool:
    """Return whether bytes are a zlib stream; x^ may begin a text too."""
    if head[:1] != b"x" or head[1:2] not in (b"\x01", b"^", b"\x9c", b"\xda"):
        return False
    try:
        return len(zlib.decompressobj().decompress(head)) > 0
    except zlib.error:
        return False


def compression(head: bytes) -> str:
    """Return the compression of a file by its first bytes; empty for a plain file."""
    return next((name for magic, name, _ in COMPRESSIONS if head.startswith(magic)), "")
