"""Files of the site's data, written as they are made."""

import tracemalloc
from collections.abc import Iterator
from pathlib import Path

from perfpress.site.directory import SiteDirectory

PIECES, BYTES = 200, 50_000


def pieces() -> Iterator[bytes]:
    for at in range(PIECES):
        yield at.to_bytes(BYTES, "big")


def test_a_long_file_is_not_in_memory_as_a_whole(tmp_path: Path) -> None:
    directory = SiteDirectory(tmp_path)
    tracemalloc.start()
    link = directory.write_long_download("/api/verdicts.json", pieces(), "Verdicts")
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert (tmp_path / "static/api/verdicts.json").read_bytes() == b"".join(pieces())
    assert link.note == "10.0 MB"
    assert most < PIECES * BYTES / 10


def test_a_long_file_and_a_short_one_of_the_same_bytes_are_one(tmp_path: Path) -> None:
    (long, short) = (SiteDirectory(tmp_path / name) for name in ("long", "short"))
    long.write_long_download("/a.json", pieces(), "A")
    short.write_download("/a.json", b"".join(pieces()), "A")
    assert long._written == short._written
