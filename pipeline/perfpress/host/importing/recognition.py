"""Finds out what kind of archive a directory is, by its names first, then by its contents."""

from collections.abc import Sequence
from pathlib import Path

from perfpress.base.problems import BadInput, Problem
from perfpress.host.importing import by_content, flame_graphs, insert_benchmark, sysbench
from perfpress.host.importing.archive import files_of
from perfpress.host.importing.by_content import kind_by_content
from perfpress.host.importing.kind import ArchiveKind
from perfpress.host.importing.unpacking import plain_name, read_archives

OF_SCRIPTS = (sysbench.KIND, insert_benchmark.KIND)
"""Layouts of which names say everything; no file of one is called as one of another."""

KIND_NAMES = (*(kind.name for kind in OF_SCRIPTS), flame_graphs.KIND.name, by_content.NAME)


def recognized(roots: Sequence[Path]) -> ArchiveKind | None:
    """Return the kind of the archives in some directories; `None` where nothing is recognized.

    Raises:
        BadInput: they hold results of several kinds.
    """
    found = [kind for kind in OF_SCRIPTS if read_archives(roots, kind)[0]]
    if len(found) > 1:
        names = " and ".join(kind.name for kind in found)
        do = f"import them one after the other: perfpress import {found[0].name} DIR"
        raise BadInput(Problem(path=str(roots[0]), found=f"results of the kinds {names}", do=do))
    if found:
        return found[0]
    kind = kind_by_content(roots) or _flame_graphs(roots)
    return kind or kind_by_content(roots, captures_alone=True)


def _flame_graphs(roots: Sequence[Path]) -> ArchiveKind | None:
    kind = flame_graphs.KIND
    names = (name for root in roots for name in files_of(root))
    return kind if any(kind.home(name) is not None for name in names) else None


def kind_called(name: str, roots: Sequence[Path]) -> ArchiveKind | None:
    """Return the kind of that name; `None` where it needs logs or captures, and none are there."""
    named = {kind.name: kind for kind in (*OF_SCRIPTS, flame_graphs.KIND)}
    return named.get(name) or kind_by_content(roots, captures_alone=True)


def map_beside(archive: Path, kind: str) -> Path:
    """Return the map of an archive that has none by name: each archive has its own."""
    named = archive.resolve() if archive.name in ("", "..") else archive
    return named.with_name(f"{plain_name(named)}.{kind}.toml")


def nothing_found(archive: Path, kind: str) -> Problem:
    """Return that an archive holds nothing of a kind, or of any, and what was expected."""
    kinds = (*OF_SCRIPTS, flame_graphs.KIND)
    expected = next((each.expected for each in kinds if each.name == kind), by_content.EXPECTED)
    others = ", ".join(each for each in KIND_NAMES if each != kind)
    return Problem(
        path=str(archive),
        found=f"no results of the kind {kind}" if kind else "no log or capture of a known format",
        expected=expected,
        do=f"name what holds such; other kinds are {others}; for single runs: perfpress init",
    )
