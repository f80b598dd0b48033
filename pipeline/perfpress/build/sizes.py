"""How many bytes each kind of page and file of a site takes."""

from collections.abc import Iterator, Mapping, Sequence

import msgspec

from perfpress.base.display import byte_size, plural

MOST_KINDS = 8
"""That are printed, the largest."""


class KindSize(msgspec.Struct, frozen=True):
    """All files of one kind."""

    kind: str
    files: int
    bytes: int
    largest: int
    """Bytes of the largest one."""


def sizes_of(files: Mapping[str, int]) -> tuple[KindSize, ...]:
    """Return the sizes of a site's files by kind, the largest first.

    Args:
        files: their bytes, by path below the site.
    """
    found: dict[str, list[int]] = {}
    for name, size in files.items():
        found.setdefault(kind_of(name), []).append(size)
    kinds = [KindSize(kind, len(own), sum(own), max(own)) for kind, own in found.items()]
    return tuple(sorted(kinds, key=lambda each: (-each.bytes, each.kind)))


def kind_of(path: str) -> str:
    """Return what a file of a site is: `release .html`, `diff .svg`, `docs .html`."""
    *folders, name = path.split("/")
    stem, ending = _parts(name)
    if ending in (".gz", ".zst"):
        ending = f"{_parts(stem)[1]}{ending}"
    return f"{_place(folders)} {ending or name}"


def _parts(name: str) -> tuple[str, str]:
    """Return a name without its ending, and that; a path object for each file takes longer."""
    stem, _, ending = name.rpartition(".")
    return (stem, f".{ending}") if stem else (name, "")


def _place(folders: Sequence[str]) -> str:
    if folders[:1] != ["reports"] or len(folders) < 2:
        return folders[0] if folders else "site"
    below = folders[2:]
    if not below:
        return "report"
    if below[-1] == "embed":
        return "frame"
    if below[0].startswith("@"):
        return "variant"
    named = {"steps": "step in all releases", "compare": "comparison", "releases": "releases"}
    if below[0] in named:
        return named[below[0]]
    if "vs" in below:
        return "diff"
    return "release" if len(below) == 1 or below[1] == "runs" else "step of a release"


def size_lines(sizes: Sequence[KindSize]) -> Iterator[str]:
    """Yield the largest kinds as lines of text."""
    for each in sizes[:MOST_KINDS]:
        largest = f", the largest {byte_size(each.largest)}" if each.files > 1 else ""
        yield f"{byte_size(each.bytes):>10}  {each.kind}, {plural(each.files, 'file')}{largest}"
