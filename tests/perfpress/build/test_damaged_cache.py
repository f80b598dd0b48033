"""Whatever happens to the cache, the receipts and public/, a build gives the same site."""

import os
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from perfpress.base.disk import temporary_directory
from perfpress.build.request import BuildRequest
from perfpress.build.stages import build
from small_site import contents, quiet, small_site

Damage = Callable[[Path], None]


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> BuildRequest:
    """Return the request of a small site with logs, profiles, a diff and charts, built once."""
    request = small_site(tmp_path_factory.mktemp("site"))
    assert not build(request, quiet).problems
    return request


def one_file_of_each_kind(cache: Path) -> list[Path]:
    """Return one file a stage and name, each of an entry of its own where there are enough."""
    found: dict[tuple[str, str], Path] = {}
    taken: set[Path] = set()
    for path in sorted(cache.glob("*/*/*/*")):
        kind = path.relative_to(cache).parts[0], path.name
        if "site" not in kind and (kind not in found or found[kind].parent in taken):
            found[kind] = path
            taken.add(path.parent)
    return sorted(found.values())


def truncate(path: Path) -> None:
    os.truncate(path, path.stat().st_size // 2)


def flip_a_byte(path: Path) -> None:
    status = path.stat()
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 1
    path.write_bytes(content)
    os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))


def empty(path: Path) -> None:
    os.truncate(path, 0)


def replace_by_what_is_no_file(path: Path) -> None:
    path.unlink()
    kinds: list[Callable[[], None]] = [
        path.mkdir,
        lambda: path.symlink_to("/dev/zero"),
        lambda: os.mkfifo(path),
    ]
    kinds[len(path.name) % len(kinds)]()


def fill_with_other_json(path: Path) -> None:
    path.write_text('{"ok": true, "result": {"profiles": 1}, "key": [], "files": null}')


def write_no_utf_8(path: Path) -> None:
    path.write_bytes(path.read_bytes().replace(b".", b"\xff"))


def exchange_the_entry(path: Path) -> None:
    """Put another whole entry of the stage in the place of this one."""
    others = [each for each in path.parents[2].glob("*/*") if each != path.parent]
    if others:
        shutil.rmtree(path.parent)
        shutil.copytree(others[0], path.parent)


def replace_the_entry_by_a_file(path: Path) -> None:
    if path.parent.is_dir():
        shutil.rmtree(path.parent)
        path.parent.write_text("")


DAMAGES: list[Damage] = [
    truncate,
    flip_a_byte,
    empty,
    Path.unlink,
    replace_by_what_is_no_file,
    fill_with_other_json,
    write_no_utf_8,
    exchange_the_entry,
    replace_the_entry_by_a_file,
]


@pytest.mark.parametrize("damage", DAMAGES, ids=lambda damage: damage.__name__)
def test_a_damaged_cache_gives_the_same_site(
    built: BuildRequest, tmp_path: Path, damage: Damage
) -> None:
    request = replace(built, cache=tmp_path / "cache", out=tmp_path / "public")
    shutil.copytree(built.cache, request.cache, symlinks=True)
    damaged = one_file_of_each_kind(request.cache)
    stages = {path.relative_to(request.cache).parts[0] for path in damaged}
    assert {"fold", "merge", "folded", "logs", "check", "flamegraph", "diff", "built"} <= stages
    for path in damaged:
        damage(path)
    assert not build(request, quiet).problems
    assert contents(request.out) == contents(built.out)
    assert build(request, quiet).summary.startswith("up to date")


def test_what_is_in_the_way_of_the_cache_is_removed(built: BuildRequest) -> None:
    for lock in (built.cache / "locks").iterdir():
        lock.unlink()
        lock.mkdir()
    for stage in ("built", "fold", "diff"):
        shutil.rmtree(built.cache / stage)
        (built.cache / stage).write_text("")
    before = contents(built.out)
    assert not build(built, quiet).problems
    assert contents(built.out) == before
    shutil.rmtree(built.cache / "locks")
    (built.cache / "locks").symlink_to("nowhere")
    assert build(built, quiet).summary.startswith("up to date")


@pytest.mark.parametrize("damage", [flip_a_byte, truncate, Path.unlink], ids=lambda d: d.__name__)
def test_a_damaged_site_is_mended(built: BuildRequest, damage: Damage) -> None:
    before = contents(built.out)
    pages = sorted(built.out.rglob("*.html"))
    damage(pages[len(pages) // 2])
    (built.out / "reports" / "stray.html").write_text("<script>")
    assert not build(built, quiet).summary.startswith("up to date")
    assert contents(built.out) == before
    assert build(built, quiet).summary.startswith("up to date")


def test_what_a_killed_build_left_is_swept_and_what_a_running_one_uses_is_not(
    built: BuildRequest,
) -> None:
    left = built.cache / ".working-abandoned"
    staged = built.out.with_name(f".{built.out.name}.new-abandoned")
    for directory in (left, staged):
        (directory / "0").mkdir(parents=True)
    with temporary_directory(".working-", built.cache) as in_use:
        (built.content / "new.md").write_text('+++\ntitle = "x"\n+++\n')
        build(built, quiet)
        assert in_use.is_dir()
    assert not list(built.cache.glob(".working-*"))
    assert not list(built.out.parent.glob(f".{built.out.name}.*"))


def test_pages_are_readable_whatever_the_umask(built: BuildRequest, tmp_path: Path) -> None:
    before = os.umask(0o077)
    try:
        request = replace(built, out=tmp_path / "public")
        build(request, quiet)
    finally:
        os.umask(before)
    modes = {
        (path.is_dir(), path.stat().st_mode & 0o777)
        for path in (request.out, *request.out.rglob("*"))
    }
    assert modes == {(True, 0o755), (False, 0o644)}
