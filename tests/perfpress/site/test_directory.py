"""Files of the site's data, written as they are made."""

import tracemalloc
from collections.abc import Iterator
from pathlib import Path

import pytest
from perfpress.site.directory import SiteDirectory
from perfpress.site.pages.compare import empty_functions
from perfpress.site.shapes.pages import HostsPage, Place
from perfpress.site.shapes.site import Site

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


def test_a_long_file_that_is_as_before_leaves_nothing_behind(tmp_path: Path) -> None:
    directory = SiteDirectory(tmp_path)
    for _ in range(2):
        directory.write_long_download("/api/verdicts.json", pieces(), "Verdicts")
    assert [path.name for path in tmp_path.iterdir()] == ["static"]


def site() -> Site:
    return Site(reports=(), pages=(), problems=(), functions=empty_functions(), size="0 B")


def hosts(address: str) -> HostsPage:
    place = Place(path=address, title="Hosts", heading="Hosts", description="Hosts.")
    return HostsPage(place=place, hosts=empty_functions())


def test_files_of_pages_that_failed_are_removed(tmp_path: Path) -> None:
    directory = SiteDirectory(tmp_path)

    def fail() -> None:
        directory.write_file("/reports/a/metrics.json", b"half a report")
        raise ValueError("a defect")

    with pytest.raises(ValueError, match="defect"):
        directory.part("a", fail, type(None))
    directory.part("b", lambda: directory.write_file("/kept.json", b"kept"), type(None))
    directory.finish(site())
    assert {path.name for path in tmp_path.rglob("*") if path.is_file()} == {
        "kept.json",
        "site.json",
    }


def test_files_of_the_last_site_alone_are_removed(tmp_path: Path) -> None:
    directory = SiteDirectory(tmp_path)
    directory.write_file("/reports/old/metrics.json", b"old")
    last = directory.finish(site())
    SiteDirectory(tmp_path, last).finish(site())
    assert not (tmp_path / "static").exists()
