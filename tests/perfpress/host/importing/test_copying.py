"""Copies have no secrets, and nothing else is changed."""

import gzip
import lzma
from collections.abc import Callable
from pathlib import Path

import pytest
import zstandard
from hypothesis import given
from hypothesis import strategies as st
from perfpress.base.secrets.pieces import PIECE, pieces
from perfpress.host.importing.copying import BrokenOff, TooLarge, copy_without_secrets
from perfpress.input.bundles.contents import check_file
from perfpress.input.logs.text_lines import TextLines

SECRET = b"--mysql-password=hunter2\n"
MARKED = b"--mysql-password=[redacted password]\n"
KEY = b"-----BEGIN PRIVATE KEY-----\n" + b"QUJDREVGR0hJSktMTU5PUA==\n" * 60
KEY_END = b"-----END PRIVATE KEY-----\n"


PACKED: list[Callable[[bytes], bytes]] = [
    bytes,
    gzip.compress,
    zstandard.compress,
    lzma.compress,
]


@given(
    lines=st.lists(st.sampled_from([b"a", b"bc", b"d" * 999, b"e" * (PIECE + 1)]), max_size=60),
    sizes=st.lists(st.integers(PIECE // 4, 3 * PIECE), min_size=1, max_size=9),
)
def test_pieces_are_the_whole_text_and_end_where_lines_do(
    lines: list[bytes], sizes: list[int]
) -> None:
    text = b"".join(line + b"\n" for line in lines)
    blocks: list[bytes] = []
    start = 0
    while start < len(text):
        end = start + sizes[len(blocks) % len(sizes)]
        blocks.append(text[start:end])
        start = end
    found = list(pieces(blocks))
    assert b"".join(found) == text
    assert all(piece.endswith(b"\n") for piece in found)


@pytest.mark.parametrize("before", [0, PIECE - 900, PIECE - 30, PIECE, 5 * PIECE - 700])
def test_a_private_key_is_found_wherever_it_is(tmp_path: Path, before: int) -> None:
    source, target = tmp_path / "in.txt", tmp_path / "out.txt"
    lines = b"x" * 29 + b"\n"
    start = lines * (before // 30)
    source.write_bytes(start + KEY + KEY_END + lines * 2000)
    copied = copy_without_secrets(source, target)
    assert copied.redacted == {"private key": 1}
    assert b"QUJDREVG" not in target.read_bytes()
    assert target.read_bytes().startswith(start + b"-----BEGIN PRIVATE KEY-----[redacted")
    assert target.read_bytes().endswith(KEY_END + lines * 2000)


@pytest.mark.parametrize("ending", [".txt", ".txt.gz", ".txt.zst", ".txt.xz"])
@pytest.mark.parametrize("pack", PACKED)
def test_only_secrets_are_changed_whatever_packs_the_file(
    tmp_path: Path, ending: str, pack: Callable[[bytes], bytes]
) -> None:
    text = b"\xff\xfe\0 \r\n" + SECRET + b"a line of text\n" * 5000 + SECRET + b"no end"
    source, target = tmp_path / "in", tmp_path / f"out{ending}"
    source.write_bytes(pack(text))
    copied = copy_without_secrets(source, target)
    assert copied.redacted == {"password": 2}
    stored = target.read_bytes()
    unpack: dict[str, Callable[[bytes], bytes]] = {
        ".txt": bytes,
        ".txt.gz": gzip.decompress,
        ".txt.zst": lambda data: zstandard.ZstdDecompressor().decompressobj().decompress(data),
        ".txt.xz": lzma.decompress,
    }
    assert unpack[ending](stored) == text.replace(SECRET, MARKED)
    assert check_file(target, "out") == []


NUMBERS = "".join(f"{number * 7919 % 10_007}\n" for number in range(200_000)).encode()


@pytest.mark.parametrize(
    ("ending", "pack"),
    [(".gz", gzip.compress), (".zst", zstandard.compress), (".xz", lzma.compress)],
)
@pytest.mark.parametrize("is_named", [True, False])
def test_a_file_that_breaks_off_is_copied_byte_for_byte(
    tmp_path: Path, ending: str, pack: Callable[[bytes], bytes], is_named: bool
) -> None:
    source, target = tmp_path / "in", tmp_path / f"out{ending if is_named else ''}"
    source.write_bytes(pack(NUMBERS)[:-40])
    copied = copy_without_secrets(source, target)
    assert "breaks off" in copied.broken
    assert target.read_bytes() == source.read_bytes()
    (problem,) = check_file(target, "out")
    assert problem.found == copied.broken


@pytest.mark.parametrize("ending", [".gz", ".zst", ".xz"])
@pytest.mark.parametrize("first", [SECRET, b"no secret\n"])
def test_what_is_packed_anew_breaks_off_behind_all_that_was_read(
    tmp_path: Path, ending: str, first: bytes
) -> None:
    """A log without an ending gets one, whatever it is packed by."""
    pack = gzip.compress if ending == ".zst" else zstandard.compress
    source, target = tmp_path / "in", tmp_path / f"out{ending}"
    source.write_bytes(pack(first + NUMBERS)[:-40])
    copied = copy_without_secrets(source, target)
    assert "breaks off" in copied.broken
    read = list(TextLines(source))
    assert len(read) > 1000
    again = TextLines(target)
    assert list(again)[1:] == read[1:]
    assert "breaks off" in again.broken
    (problem,) = check_file(target, "out")
    assert problem.found == again.broken


def test_a_plain_copy_of_what_breaks_off_and_holds_a_secret_is_refused(tmp_path: Path) -> None:
    source = tmp_path / "my.cnf"
    source.write_bytes(gzip.compress(SECRET + NUMBERS)[:-40])
    with pytest.raises(BrokenOff, match=r"breaks off, and holds a secret: password"):
        copy_without_secrets(source, tmp_path / "out.cnf")


def test_a_file_that_unpacks_to_a_flood_is_refused(tmp_path: Path) -> None:
    source = tmp_path / "in.gz"
    source.write_bytes(gzip.compress(bytes(100_000_000)))
    with pytest.raises(TooLarge):
        copy_without_secrets(source, tmp_path / "out.gz")
