"""The directory of derived files that Hugo mounts: pages' data, drawings, and downloads.

It holds what the last build wrote: a file that would be the same is left alone, and so is a part of
the site whose key has not changed. What is not written again is removed in the end.
"""

import hashlib
import re
import shutil
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import TypeVar

import msgspec

from perfpress.base.cache import Artifact, key_of
from perfpress.base.directory_swap import remove_file
from perfpress.base.display import byte_size
from perfpress.base.slugs import shortened
from perfpress.site.shapes.blocks import Link
from perfpress.site.shapes.pages import Page
from perfpress.site.shapes.site import Site

DRAWING = re.compile(rb'"asset": "([^"]+)"')
"""A drawing that a page shows, in the page's data."""
DOWNLOADS = "static/"
"""Where the files for download are."""
Left = TypeVar("Left")
LONGEST_STEM = 150
"""Characters before what a download is; file systems take 255 in all."""


class Redirects(msgspec.Struct, frozen=True):
    """The pages below an address that only lead to others."""

    key: str
    """The hash of the file that they are in."""
    places: str
    """The rest of the address of each, a line each: a large archive has one a cell."""


class Written(msgspec.Struct):
    """What was written, by hashes of what it was made from: equal hashes, equal bytes."""

    pages: dict[str, str] = {}
    """By address."""
    without_card: dict[str, None] = {}
    """Addresses of the pages that show the card of the site."""
    files: dict[str, str] = {}
    """By path below the directory."""
    redirects: dict[str, Redirects] = {}
    """By the address that they are below."""
    download_bytes: int = 0

    @property
    def downloads(self) -> dict[str, str]:
        """The files for download, by address without the first slash."""
        return {
            name.removeprefix(DOWNLOADS): key
            for name, key in self.files.items()
            if name.startswith(DOWNLOADS)
        }

    def add(self, other: "Written") -> None:
        """Take in what was written beside it."""
        self.pages |= other.pages
        self.without_card |= other.without_card
        self.files |= other.files
        self.redirects |= other.redirects
        self.download_bytes += other.download_bytes


class Part(msgspec.Struct, frozen=True):
    """Some pages that are made together, from inputs of their own."""

    written: Written
    """By none of its own parts."""
    left: bytes
    """What is left of them for other pages, encoded."""
    within: tuple[str, ...]
    """The keys of its own parts."""


class SiteData(msgspec.Struct, frozen=True):
    """The data of all pages, by hashes of what it was made from."""

    beside_parts: Written
    """What is of no part."""
    parts: Mapping[str, Part]
    """By the hash of what a part is made from."""
    site: str
    """Of the lists of the whole site."""
    card: str
    reports: Mapping[str, str]
    """Of the feeds of reports, by address: their pages show them."""
    titles: Mapping[str, str]
    """Of reports that have results, by address."""
    shown_everywhere: str
    """Of what every page shows of the whole site."""

    @property
    def written(self) -> Written:
        """Everything; each name and hash is in memory once, as that of its part."""
        return _together(self.beside_parts, self.parts)


class SiteDirectory:
    """Writes below one root."""

    def __init__(self, root: Path, last: SiteData | None = None) -> None:
        """Take a directory.

        Args:
            root: the directory.
            last: what it holds, if that is known for sure; None where nothing in it is of use.
        """
        self._root = root
        self._last = last
        self._last_files = last.written.files if last else {}
        self._files: dict[str, str] = {}
        """All that are written, or left alone, by path: whatever part they are of."""
        self._written = Written()
        """By the part that is being written, or beside all."""
        self._parts: dict[str, Part] = {}
        self._within: list[str] = []
        self._dropped: set[str] = set()
        """Files of pages that are left out after all."""

    def holds(self, key: str) -> bool:
        """Return whether a part is there from the last build."""
        return self._last is not None and key in self._last.parts

    def part(self, key: str, write: Callable[[], Left], of_type: type[Left]) -> Left:
        """Write some pages, unless they are there already; return what is left of them for others.

        Args:
            key: the hash of everything that the pages are made from.
            write: writes them into this directory; parts may be within it.
            of_type: what it returns.
        """
        last = self._last.parts if self._last else {}
        if (part := last.get(key)) is None:
            above = self._written, self._within
            self._written, self._within = Written(), []
            try:
                left = write()
                part = Part(self._written, msgspec.msgpack.encode(left), tuple(self._within))
            except BaseException:
                for each in self._within:
                    self._written.add(self._parts.pop(each).written)
                self._forget(self._written.files)
                raise
            finally:
                self._written, self._within = above
        else:
            left = msgspec.msgpack.decode(part.left, type=of_type)
            for each in (*part.within, key):
                self._parts[each] = last[each]
                self._files |= last[each].written.files
        self._parts[key] = part
        self._within += (*part.within, key)
        return left

    def _forget(self, names: Iterable[str]) -> None:
        """Have files removed in the end, unless they are written once more."""
        for name in names:
            self._dropped.add(name)
            self._files.pop(name, None)

    @property
    def download_bytes(self) -> int:
        """The bytes of all files for download."""
        return _together(self._written, self._parts).download_bytes

    def finish(self, site: Site) -> SiteData:
        """Write the data of the whole site; remove what is of the last one only, or left out.

        Returns:
            The hashes of all that is there.
        """
        encoded = _encoded(site)
        self._write(Path("data") / "site.json", encoded)
        for name in sorted((self._last_files.keys() | self._dropped) - self._files.keys()):
            remove_file(self._root, name)
        return SiteData(
            beside_parts=self._written,
            parts=self._parts,
            site=_hash(encoded),
            card=_hash(_encoded(site.card)),
            reports={each.url: key_of(each.feed) for each in site.reports},
            titles={each.url: each.title for each in site.reports if each.id in site.titles},
            shown_everywhere=key_of(len(site.problems), bool(site.machine_files)),
        )

    def write_page(self, page: Page, markdown: str) -> None:
        """Write a page's data where its template finds it, and what it says: by its address."""
        # No slug begins with `_`: the files cannot be in the way of another page's directory.
        address = page.place.path
        directory = Path(f"assets/perfpress{address}")
        encoded = _encoded(page)
        own = self._written
        drawings = [own.files[f"assets/{name.decode()}"] for name in DRAWING.findall(encoded)]
        own.pages[address] = key_of(_hash(encoded), _hash(markdown.encode()), drawings)
        if page.place.card is None and not page.place.is_part:
            own.without_card[address] = None
        self._write(directory / "_page.json", encoded)
        self._write(directory / "_page.md", markdown.encode())

    def add_drawing(self, name: str, drawing: Artifact) -> str:
        """Copy a drawing shown inside a page; return its name for the template."""
        asset = f"perfpress/{name}"
        self._copy(drawing, Path("assets") / asset)
        return asset

    def add_download(self, address: str, file: Artifact, label: str) -> Link:
        """Copy a file to its address; return the link to it."""
        target = _place(address)
        self._copy(file, target)
        return self._link(target, address, label)

    def write_download(self, address: str, content: bytes, label: str) -> Link:
        """Write a file at its address; return the link to it."""
        self.write_file(address, content)
        return self._link(_place(address), address, label)

    def write_long_download(self, address: str, pieces: Iterable[bytes], label: str) -> Link:
        """Write a file at its address as it is made; return the link to it.

        A file of all cells of a large archive is not in memory as a whole.
        """
        target, digest = _place(address), hashlib.sha256()
        written = self._target(Path(".writing"))
        with written.open("wb") as file:
            for piece in pieces:
                digest.update(piece)
                file.write(piece)
        if self._is_new(target, digest.hexdigest()):
            written.replace(self._target(target))
        else:
            written.unlink()
        return self._link(target, address, label)

    def write_file(self, address: str, content: bytes) -> None:
        """Write a file at its address."""
        self._write(_place(address), content)

    def write_redirects(self, above: str, pages: Mapping[str, str]) -> None:
        """Write pages that only lead to others, all in one file.

        Args:
            above: the address that they are below.
            pages: their HTML, by the rest of their addresses: `select/`.
        """
        if pages:
            place = redirects_file(above)
            self._write(place, msgspec.json.encode(pages))
            key = self._files[place.as_posix()]
            self._written.redirects[above] = Redirects(key, "\n".join(pages))

    def keep_at(self, former: str, address: str) -> None:
        """Copy a written file to its former address."""
        written = _place(address)
        key = self._files[written.as_posix()]
        self._copy(Artifact(self._root / written, key), _place(former))

    def _link(self, target: Path, address: str, label: str) -> Link:
        size = (self._root / target).stat().st_size
        self._written.download_bytes += size
        return Link(
            label=label, url=address, note=byte_size(size), download=name_of_download(address)
        )

    def _write(self, place: Path, content: bytes) -> None:
        if self._is_new(place, _hash(content)):
            self._target(place).write_bytes(content)

    def _copy(self, source: Artifact, place: Path) -> None:
        if self._is_new(place, source.key):
            shutil.copyfile(source.path, self._target(place))

    def _is_new(self, place: Path, key: str) -> bool:
        """Note what a file is made from; return whether another one, or none, is in its place."""
        name = place.as_posix()
        there = self._files.get(name) or self._last_files.get(name)
        self._written.files[name] = self._files[name] = key
        return there != key

    def _target(self, place: Path) -> Path:
        """Make way for a file: what the last build wrote may have another kind of the same name."""
        target = self._root / place
        for above in place.parents:
            if (self._root / above).is_file():
                (self._root / above).unlink()
        if target.is_dir():
            shutil.rmtree(target)
        target.parent.mkdir(parents=True, exist_ok=True)
        return target


def _together(beside_parts: Written, parts: Mapping[str, Part]) -> Written:
    """Return all that was written."""
    together = Written()
    for each in (*(part.written for part in parts.values()), beside_parts):
        together.add(each)
    return together


def redirects_file(above: str) -> Path:
    """Return where the redirects below an address are, below the directory."""
    return Path(f"redirects/{above.strip('/')}.json")


def _place(address: str) -> Path:
    """Return where a file for download is, below the directory."""
    return Path(DOWNLOADS) / address.lstrip("/")


def name_of_download(address: str) -> str:
    """Return the name under which a browser saves a file.

    `/reports/postgres/18/select/flamegraph.svg` is `postgres-18-select.flamegraph.svg`.
    """
    *folders, file = address.strip("/").split("/")
    stem = "-".join(folder.lstrip("@") for folder in folders[1:])
    return f"{shortened(stem, LONGEST_STEM)}.{file}"


def _hash(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def _encoded(value: object) -> bytes:
    return msgspec.json.format(msgspec.json.encode(value, order="deterministic"), indent=1) + b"\n"
