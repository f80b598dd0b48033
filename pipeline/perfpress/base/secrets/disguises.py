"""Decodes text that hides a secret from a search: escapes, colours, invisible letters, base64, hex.

Each way of decoding gives a view of the text, and where each part of it was in the source.
"""

import base64
import binascii
import bz2
import html
import lzma
import re
import unicodedata
import zlib
from bisect import bisect_right
from collections.abc import Callable, Iterator
from functools import cache, lru_cache
from typing import Any, NamedTuple

import zstandard

from perfpress.base.secrets.rules import compiled

DECOMPRESSED_RATIO = 32
"""How much larger than the compressed bytes the text may be that is decompressed and searched."""


class DecodedText(NamedTuple):
    """A text that was decoded."""

    text: bytes
    origin: Callable[[int, int], tuple[int, int]]
    """Returns start and end in the source of start and end in the view."""


def decoded(text: bytes) -> Iterator[DecodedText]:
    """Yield what the text decodes to; nothing for most texts."""
    yield from _unescaped(text)
    for match in _base64_texts().finditer(text):
        yield from _whole(_from_base64(match.group()), *match.span())
    for match in _base64_packed().finditer(text):
        yield from _whole(_decompressed(_from_base64(match.group())), *match.span())
    yield from _inside(text)
    for match in _base32_texts().finditer(text):
        yield from _whole(_from_base32(match.group()), *match.span())
    for match in _ascii85_texts().finditer(text):
        yield from _whole(_from_ascii85(match.group()), *match.span())
    for match in _hex_texts().finditer(text):
        yield from _whole(_from_hex(match.group()), *match.span())


def _whole(plain: bytes, start: int, end: int) -> Iterator[DecodedText]:
    """Yield the view of a stretch of the source that is redacted as a whole or not at all."""
    if len(plain) >= 8:
        yield DecodedText(plain, lambda _start, _end: (start, end))


# --- One character of the view for some of the source: escapes, entities, colours, wide text

_escapes = cache(
    lambda: compiled(
        rb"(?:[^\0]\0){4,}|(?:\0[^\0]){4,}|(?:[^\0]\0\0\0){4,}"  # UTF-16 and UTF-32
        rb"|\x1b\[[0-?]{0,40}[ -/]{0,4}[@-~]|\x1b\][^\x07\x1b\n]{0,400}(?:\x07|\x1b\\)|\x1b[ -~]"
        rb"|[^\x08\n]\x08|\r+[^\n]"  # written over
        rb"|\\\r?\n|\\u\{[0-9A-Fa-f]{1,6}\}|\\u[0-9A-Fa-f]{4}|\\U[0-9A-Fa-f]{8}|\\x[0-9A-Fa-f]{2}"
        rb"|\\[0-3][0-7]{2}|\\e\[|\\[\"'/\\nrt]"
        rb"|%[0-9A-Fa-f]{2}|&#[0-9]{1,7};|&#[xX][0-9A-Fa-f]{1,6};|&[A-Za-z]{2,12};"
        rb"|[\xc2-\xf4][\x80-\xbf]{1,3}"
    )
)
"""Encodings of other text."""

_quoted_printable = cache(lambda: compiled(rb"=[ \t]{0,9}\r?\n|=[0-9A-F]{2}"))

_LOOKALIKES = dict(
    zip(
        "аеорсухіѕјһԁԛԝкмтнвАЕОРСУХІЅЈКМТНВΑΒΕΖΗΙΚΜΝΟΡΤΥΧοαρν",
        "aeopcyxisjhdqwkmthbAEOPCYXISJKMTHBABEZHIKMNOPTYXoapv",
        strict=True,
    )
)
"""Letters of Cyrillic and Greek that look like Latin ones."""


_has_escaped_mark = cache(lambda: compiled(rb"%[0-3][0-9A-Fa-f]"))
_form = cache(lambda: compiled(rb"%[0-9A-Fa-f]{2}|\+"))
"""What a form of a page sends: its spaces are plus signs."""

_cells = cache(lambda: compiled(rb'""[^",\s][^"\n]{0,300}""'))
"""Quotes of a cell of CSV are doubled."""

_has_listed_option = cache(lambda: compiled(rb"""["'],[ \t]{0,9}["']--?[A-Za-z]"""))
_between_listed = cache(lambda: compiled(rb"""["'],[ \t]{0,9}["']"""))
"""Arguments of a command as a list: `execve("mysql", ["mysql", "-uroot", …`."""

_PREFIX = (
    rb"(?:[ \t]{0,40}(?:[+#>;|*]|//|--)[ \t]{0,40}|[^\n]{0,200}?\d\d:\d\d[^\n]{0,100}?[:\]][ \t])"
)
_KEY = rb"(?:-[ \t]+)?[\w.\"'-]{0,60}(?:pass|pwd|secret|token|key|rootpw|masterauth|value)"
_prefixed = cache(lambda: compiled(rb"(?im)^%b(%b)" % (_PREFIX, _KEY)))
"""A setting behind the time in a log, or behind the mark of a comment, a quotation or a diff."""


def _unescaped(text: bytes) -> Iterator[DecodedText]:
    yield from _substituted(text, _escapes(), _meant)
    if b"+" in text and _has_escaped_mark().search(text):
        yield from _substituted(text, _form(), _meant_in_form)
    yield from _substituted(text, _cells(), lambda cell: cell[1:-1])
    if _has_listed_option().search(text):
        yield from _substituted(text, _between_listed(), lambda _: b" ")
    yield from _substituted(text, _prefixed(), lambda line: _prefixed().match(line).group(1))
    if b"=3D" in text or b"quoted-printable" in text:
        yield from _substituted(text, _quoted_printable(), _meant_in_mail)


def _substituted(
    text: bytes, pattern: Any, meant: Callable[[bytes], bytes]
) -> Iterator[DecodedText]:
    """Yield the view with all matches decoded; none if all stay."""
    pieces: list[bytes] = []
    starts = [0]
    """Where pieces of the view begin: what is copied and what is replaced, in turn."""
    sources = [0]
    """Where they begin in the source."""
    length = last = 0
    for match in pattern.finditer(text):
        start, end = match.span()
        found = text[start:end]
        if (plain := meant(found)) == found:
            continue
        pieces += [text[last:start], plain]
        length += start - last
        starts += [length, length + len(plain)]
        sources += [start, end]
        length += len(plain)
        last = end
    if not pieces:
        return
    pieces.append(text[last:])

    def place(at: int, is_end: bool) -> int:
        index = bisect_right(starts, at - is_end) - 1
        source = sources[index]
        if index % 2 == 0:
            return source + at - starts[index]
        width, wide = starts[index + 1] - starts[index], sources[index + 1] - source
        if wide % width == 0 and b"\0" in text[source : source + wide]:
            return source + (at - starts[index]) * (wide // width)
        return sources[index + 1] if is_end else source

    yield DecodedText(b"".join(pieces), lambda start, end: (place(start, False), place(end, True)))


@lru_cache(maxsize=4096)
def _meant(found: bytes) -> bytes:
    """Return the decoded text of an escape."""
    first = found[:1]
    if first == b"\x1b" or found[1:] == b"\x08":
        return b""
    if b"\0" in found:
        return found.replace(b"\0", b"")
    if first == b"%":
        return bytes.fromhex(found[1:].decode())
    if first == b"&":
        return html.unescape(found.decode()).encode("utf-8", "surrogatepass")
    if first == b"\\":
        return _meant_by_backslash(found[1:2], found[2:].strip(b"{}"))
    if first == b"\r":
        return b"\n" + found[-1:]
    return _letter(found)


def _meant_by_backslash(kind: bytes, digits: bytes) -> bytes:
    if kind in b"uU":
        number = int(digits, 16)
        return chr(number).encode("utf-8", "surrogatepass") if number < 0x110000 else b""
    if kind == b"x":
        return bytes.fromhex(digits.decode())
    if kind in b"0123":
        return bytes([int(kind + digits, 8)])
    return {b"n": b"\n", b"r": b"\n", b"t": b"\t", b"e": b"\x1b[", b"\r": b"", b"\n": b""}.get(
        kind, kind
    )


def _meant_in_form(found: bytes) -> bytes:
    return b" " if found == b"+" else _meant(found)


def _meant_in_mail(found: bytes) -> bytes:
    return b"" if found.endswith(b"\n") else bytes.fromhex(found[1:].decode())


def _letter(encoded: bytes) -> bytes:
    """Return what a letter looks like: a full-width one plain, an invisible one not at all."""
    try:
        letter = encoded.decode()
    except UnicodeDecodeError:
        return encoded
    if letter in _LOOKALIKES:
        return _LOOKALIKES[letter].encode()
    if unicodedata.category(letter) in ("Cf", "Mn", "Me") or letter in "\u115f\u1160\u3164\uffa0":
        return b""
    return unicodedata.normalize("NFKC", letter).encode()


# --- Stretches of base64, base32, ascii85 and hex

_GROUP = rb"[A-Za-f][A-HQ-Xg-nw-z0-3][ABEFIJMNQRUVYZcdghklopstwx014589][A-Za-z0-9+/_-]"
"""Four letters that three of ASCII make in base64: the highest bits are 0."""

_WRAP = rb"(?:\\?\r?\n[ \t]{0,40}|\\n)"
"""Between the lines of base64; a new line may be escaped."""

_base64_texts = cache(
    lambda: compiled(
        rb"(?:%b){3,}(?:%b(?:%b){3,})*(?:[A-Za-z0-9+/]{2,3}=?=?)?" % (_GROUP, _WRAP, _GROUP)
    )
)
_base64_packed = cache(
    lambda: compiled(
        rb"(?:H4sI|eJ[w-z]|eNo|eAE|eF4|KLUv/|/Td6WFoA|Qlpo[MNO])"
        rb"[A-Za-z0-9+/_-]{8,}(?:%b[A-Za-z0-9+/_-]{8,})*={0,2}" % _WRAP
    )
)
_base32_texts = cache(lambda: compiled(rb"[A-Z2-7]{24,}(?:%b[A-Z2-7]{8,})*={0,6}" % _WRAP))
_ascii85_texts = cache(lambda: compiled(rb"<~[!-uz\s]{10,}~>"))
"""Without its marks any long word might be such text."""
_PAIR = rb"(?:0x)?(?:[2-7][0-9A-Fa-f]|0[9aAdD])"
"""A letter of ASCII in hex."""

_hex_texts = cache(lambda: compiled(rb"%b(?:(?:[ :]|, ?)?%b){11,}" % (_PAIR, _PAIR)))
_compressed = cache(
    lambda: compiled(
        rb"\x1f\x8b\x08[\x00-\x1f]|\x78[\x01\x9c\xda]|\x28\xb5\x2f\xfd|\xfd7zXZ\x00"
        rb"|BZh[1-9]1AY&SY"
    )
)


def _from_base64(token: bytes) -> bytes:
    letters = re.sub(rb"\\n|[\s\\=]", b"", token).translate(bytes.maketrans(b"-_", b"+/"))
    letters = letters[: len(letters) - (len(letters) % 4 == 1)]
    try:
        return base64.b64decode(letters + b"=" * (-len(letters) % 4))
    except binascii.Error:
        return b""


def _from_base32(token: bytes) -> bytes:
    letters = re.sub(rb"\\n|[\s\\=]", b"", token)
    letters = letters[: len(letters) - {1: 1, 3: 1, 6: 1}.get(len(letters) % 8, 0)]
    return _text(base64.b32decode(letters + b"=" * (-len(letters) % 8)))


def _from_ascii85(token: bytes) -> bytes:
    try:
        return _text(base64.a85decode(token, adobe=True, ignorechars=b" \t\n\r\v\f"))
    except ValueError:
        return b""


def _text(plain: bytes) -> bytes:
    """Return what was decoded if its beginning is text: other words decode to anything."""
    return plain if plain[:8].isascii() else b""


def _from_hex(token: bytes) -> bytes:
    digits = re.sub(rb"0x|[\s:,]", b"", token)
    return bytes.fromhex(digits[: len(digits) // 2 * 2].decode())


def _inside(text: bytes) -> Iterator[DecodedText]:
    """Yield the decompressed content of compressed data within a text."""
    left = DECOMPRESSED_RATIO * len(text)
    done = 0
    for match in _compressed().finditer(text):
        start = match.start()
        if start < done or left <= 0:
            continue
        plain = _decompressed(text[start : start + left // DECOMPRESSED_RATIO])
        left -= len(plain) + DECOMPRESSED_RATIO * 16
        if plain:
            done = len(text) if text[start : start + 1] != b"x" else start + 1
            yield from _whole(plain, start, len(text))


def _decompressed(data: bytes) -> bytes:
    """Return the text that was compressed, as far as it can be read; nothing if there is none."""
    most = DECOMPRESSED_RATIO * len(data)
    reader: Any
    if data[:1] == b"x":
        reader = zlib.decompressobj()
    elif data[:2] == b"\x1f\x8b":
        reader = zlib.decompressobj(31)
    elif data[:3] == b"BZh":
        reader = bz2.BZ2Decompressor()
    elif data[:4] == b"\xfd7zX":
        reader = lzma.LZMADecompressor(memlimit=64 << 20)
    else:
        try:
            return (
                zstandard.ZstdDecompressor(max_window_size=1 << 23).stream_reader(data).read(most)
            )
        except zstandard.ZstdError:
            return b""
    try:
        return bytes(reader.decompress(data, most))
    except (zlib.error, lzma.LZMAError, OSError):  # bzip2 has none of its own
        return b""
