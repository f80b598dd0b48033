"""A secret is found and redacted however the text around it was encoded."""

import base64
import bz2
import gzip
import html
import lzma
import quopri
import re
import urllib.parse
import zlib
from collections.abc import Callable

import pytest
import zstandard
from perfpress.base.secrets.redact import redact_bytes
from perfpress.base.secrets.search import search

LINE = "sysbench --mysql-password=hunter2secret run\n"
FILLER = "the quick brown line of a log\n" * 3
TEXT = FILLER + LINE + FILLER
PLAIN = TEXT.encode()


def each(write: Callable[[int], str]) -> bytes:
    return "".join(write(ord(letter)) for letter in LINE).encode()


def within(old: str, new: str) -> bytes:
    return TEXT.replace(old, new).encode()


def wide(text: str) -> str:
    return "".join(chr(ord(letter) + 0xFEE0) if letter > " " else letter for letter in text)


DISGUISES = {
    "windows lines": within("\n", "\r\n"),
    "lines of old": within("\n", "\r"),
    "utf-16": TEXT.encode("utf-16"),
    "utf-16 big-endian": TEXT.encode("utf-16-be"),
    "utf-32": TEXT.encode("utf-32"),
    "utf-16 inside of ASCII": PLAIN[:90] * 9 + LINE.encode("utf-16-le") + PLAIN[:90],
    "colours in the key": within("pass", "pa\x1b[31mss\x1b[0m"),
    "colours in the value": within("hunter", "hun\x1b[1;31mter\x1b[0m"),
    "a link of a terminal": within("pass", "pa\x1b]8;;http://x\x07ss"),
    "colours in words": within("pass", r"pa\033[31mss\e[0m"),
    "bold of a manual page": each(lambda letter: f"{chr(letter)}\b{chr(letter)}"),
    "full width": wide(TEXT).encode(),
    "bold letters": within("pass", "𝐩𝐚𝐬𝐬"),
    "invisible letters": each(lambda letter: f"{chr(letter)}\u200b"),
    "a soft hyphen": within("pass", "pa\u00adss"),
    "letters of Cyrillic": within("pass", "раss"),
    "marks under letters": within("pass", "p\u0332a\u0332ss"),
    "spaces that do not break": "password\u00a0=\u00a0hunter2secret".encode(),
    "a URL": urllib.parse.quote(TEXT, safe="").encode(),
    "a URL twice": urllib.parse.quote(urllib.parse.quote(TEXT)).encode(),
    "entities": each(lambda letter: f"&#{letter};"),
    "entities in hex": each(lambda letter: f"&#x{letter:x};"),
    "entities twice": html.escape(html.escape('password="hunter2secret"')).encode(),
    "escapes of JSON": each(lambda letter: f"\\u{letter:04x}"),
    "JSON in JSON": rb'{"a":"{\"password\":\"hunter2secret\"}"}',
    "escapes of C": each(lambda letter: f"\\x{letter:02x}"),
    "octal escapes": each(lambda letter: f"\\{letter:03o}"),
    "escapes of JavaScript": each(lambda letter: f"\\u{{{letter:x}}}"),
    "mail": quopri.encodestring(b"x" * 60 + b" =" + LINE.encode()),
    "a line that goes on in a word": within("pass", "pa\\\nss"),
    "a line that goes on": b"mysql -u root \\\n  -phunter2secret test\n",
    "base64": base64.b64encode(PLAIN),
    "base64 in lines": base64.encodebytes(PLAIN),
    "base64 for URLs": base64.urlsafe_b64encode(PLAIN + b"???>>>"),
    "base64 twice": base64.b64encode(base64.b64encode(PLAIN)),
    "base64 of UTF-16": base64.b64encode(TEXT.encode("utf-16-le")),
    "base64 of gzip": base64.b64encode(gzip.compress(PLAIN)),
    "base64 of zlib": base64.b64encode(zlib.compress(PLAIN)),
    "base64 of zstd": base64.b64encode(zstandard.compress(PLAIN)),
    "base64 of xz": base64.b64encode(lzma.compress(PLAIN)),
    "base64 of bzip2": base64.b64encode(bz2.compress(PLAIN)),
    "base32": base64.b32encode(PLAIN),
    "base32 in lines": b"\n".join(re.findall(b".{1,64}", base64.b32encode(PLAIN))),
    "ascii85": base64.a85encode(PLAIN, adobe=True, wrapcol=76),
    "hex": PLAIN.hex().encode(),
    "hex of xxd": LINE.encode().hex(" ", 2).encode(),
    "hex of C": ", ".join(f"0x{letter:02x}" for letter in LINE.encode()).encode(),
    "gzip behind text": PLAIN[:90] + gzip.compress(PLAIN),
    "bzip2 behind text": PLAIN[:90] + bz2.compress(PLAIN),
    "zlib behind text": PLAIN[:90] + zlib.compress(PLAIN),
    "a form": b"cmd=mysql+-ubench+-phunter2secret+test%0A",
    "a cell of CSV": b'1,"{""user"":""b"",""password"":""hunter2secret""}",2\n',
    "a list of arguments": b'["mysql", "-ubench", "-phunter2secret", "test"]',
    "a call in strace": b'execve("/usr/bin/mysql", ["mysql", "-phunter2secret"], 0x7f) = 0',
    "a line with its time": b"2026-11-24T10:00:00Z lab1 run[12]: password: hunter2secret\n",
    "a line of a diff": b"+password: hunter2secret\n",
    "a comment": b"# requirepass hunter2secret\n",
    "an environment": b"A=1\0PGPASSWORD=hunter2secret\0B=2",
}


@pytest.mark.parametrize("data", DISGUISES.values(), ids=DISGUISES.keys())
def test_a_disguised_secret_is_found_and_redacted(data: bytes) -> None:
    assert search(data)
    redacted, found = redact_bytes(data)
    assert set(found) == {"password"}
    assert redacted != data
    assert search(redacted) == []


def test_utf_16_stays_utf_16() -> None:
    redacted, _ = redact_bytes(TEXT.encode("utf-16-le"))
    assert redacted.decode("utf-16-le") == TEXT.replace("hunter2secret", "[redacted password]")


def test_only_the_disguised_secret_is_taken() -> None:
    redacted, _ = redact_bytes(within("hunter2", "hun\x1b[31mter2\x1b[0m"))
    assert redacted == within("hunter2secret", "[redacted password]")
