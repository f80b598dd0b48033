"""The lines of a file are the same in whatever pieces it is read."""

import gzip
import lzma
from collections.abc import Callable
from pathlib import Path
from unittest.mock import patch

import pytest
import zstandard
from hypothesis import given, settings
from hypothesis import strategies as st
from perfpress.base.limits import BundleLimits
from perfpress.input.logs import text_lines as opening
from perfpress.input.logs.text_lines import TextLines

LONGEST = 12

PIECES = st.sampled_from(
    [b"\n", b"\r\n", b"\r", b"a", b"bcdef", b"\xe2\x82\xac", b"\xe2\x82", b"\xff"]
)


def expected(content: bytes) -> tuple[list[str], list[int]]:
    lines = content.split(b"\n")
    if not lines[-1]:
        lines.pop()
    too_long = [number for number, line in enumerate(lines, 1) if len(line) > LONGEST]
    texts = [
        "" if number in too_long else line.removesuffix(b"\r").decode(errors="replace")
        for number, line in enumerate(lines, 1)
    ]
    return texts, too_long


@given(pieces=st.lists(PIECES, max_size=60), chunk=st.integers(1, 50))
@settings(max_examples=300)
def test_lines_numbers_and_characters_do_not_depend_on_the_size_of_a_chunk(
    pieces: list[bytes], chunk: int, tmp_path_factory: pytest.TempPathFactory
) -> None:
    path: Path = tmp_path_factory.getbasetemp() / "lines"
    path.write_bytes(b"".join(pieces))
    with (
        patch.object(opening, "LIMITS", BundleLimits(line_bytes=LONGEST)),
        patch.object(opening, "COMPRESSED_CHUNK", chunk),
        patch.object(opening, "PLAIN_CHUNK", chunk),
    ):
        lines = TextLines(path)
        assert (list(lines), lines.too_long) == expected(path.read_bytes())


@pytest.mark.parametrize("pack", [gzip.compress, zstandard.compress, lzma.compress])
def test_members_of_nothing_are_no_blocks(pack: Callable[[bytes], bytes], tmp_path: Path) -> None:
    path = tmp_path / "members"
    path.write_bytes(pack(b"") * 500 + pack(b"one\n") + pack(b"") * 500)
    assert list(TextLines(path).blocks()) == [b"one\n"]
