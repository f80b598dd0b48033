"""Machines that share a cache: the second one makes nothing again, and gets no damage."""

import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from perfpress.base.store_process import packed
from perfpress.build.request import BuildRequest
from perfpress.build.stages import build
from small_site import contents, quiet, small_site

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> BuildRequest:
    """Build a small site on a machine that shares its cache through a directory."""
    work = tmp_path_factory.mktemp("site")
    request = replace(small_site(work), shared_cache=(work / "shared").as_uri())
    assert not build(request, quiet).problems
    return request


def on_another_machine(
    built: BuildRequest, work: Path, shared: str | None
) -> tuple[BuildRequest, list[str]]:
    """Build the same site with nothing on disk; return the request and what was made anew."""
    request = replace(built, cache=work / "cache", out=work / "public", shared_cache=shared)
    said: list[str] = []
    assert not build(request, said.append).problems
    return request, [line for line in said if " new" in line and ": 0 of" not in line]


def stored_in(built: BuildRequest, work: Path) -> Path:
    """Copy the shared cache, to be damaged."""
    assert built.shared_cache is not None
    return shutil.copytree(built.shared_cache.removeprefix("file://"), work / "shared")


def test_a_second_machine_makes_nothing_again(built: BuildRequest, tmp_path: Path) -> None:
    other, made = on_another_machine(built, tmp_path, built.shared_cache)
    assert made == []
    assert contents(other.out) == contents(built.out)


def test_machines_that_build_a_part_each_fill_the_cache_for_the_whole(
    built: BuildRequest, tmp_path: Path
) -> None:
    shared = (tmp_path / "shared").as_uri()
    for release in ("17", "18"):
        part = tmp_path / release / "results"
        shutil.copytree(built.results, part)
        [other] = [path for path in part.glob("*/*") if path.name != release]
        shutil.rmtree(other)
        on_another_machine(replace(built, results=part), tmp_path / release, shared)
    whole, made = on_another_machine(built, tmp_path / "whole", shared)
    # The graphs are drawn again: no part had what their cards say of the other release.
    assert [line for line in made if line.startswith(("fold", "merge"))] == []
    assert contents(whole.out) == contents(built.out)


def truncate(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-20])


def fill_with_text(path: Path) -> None:
    path.write_text("no entry")


def exchange(path: Path) -> None:
    """Put another entry of its stage in its place."""
    others = [each for each in path.parents[1].glob("*/*") if each != path]
    if others:
        shutil.copyfile(others[0], path)


def lead_elsewhere(path: Path) -> None:
    """Pack files whose names lead out of the entry."""
    source = path.with_suffix(".d")
    source.mkdir()
    (source / "aXXbad").write_text("x")
    content = packed(source).replace(b"aXXbad", b"../bad")
    shutil.rmtree(source)
    path.write_bytes(content)


@pytest.mark.parametrize("damage", [truncate, fill_with_text, exchange, lead_elsewhere])
def test_damage_in_the_shared_cache_is_made_again_and_mended(
    built: BuildRequest, tmp_path: Path, damage: Callable[[Path], None]
) -> None:
    shared = stored_in(built, tmp_path)
    before = contents(shared)
    for path in sorted(shared.glob("fold*/??/*")) + sorted(shared.glob("logs/??/*")):
        damage(path)
    other, made = on_another_machine(built, tmp_path, shared.as_uri())
    assert contents(other.out) == contents(built.out)
    assert any(line.startswith("fold: ") for line in made)
    assert not list(tmp_path.rglob("bad"))
    if damage is not exchange:
        assert contents(shared) == before
