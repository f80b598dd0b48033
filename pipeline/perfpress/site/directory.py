"""The directory of derived files that Hugo mounts: pages' data, drawings, and downloads."""

import hashlib
import re
import shutil
from collections.abc import Mapping
from pathlib import Path

import msgspec

from perfpress.base.cache import Artifact, key_of
from perfpress.base.display import byte_size
from perfpress.base.slugs import shortened
from perfpress.site.shapes.blocks import Link
from perfpress.site.shapes.pages import Page
from perfpress.site.shapes.site import Site

DRAWING = re.compile(rb'"asset": "([^"]+)"')
"""A drawing that a page shows, in the page's data."""
LONGEST_STEM = 150
"""Characters before what a download is; file systems take 255 in all."""


class SiteData(msgspec.Struct, frozen=True):
    """What was written, by hashes of what it was made from: equal hashes, equal bytes."""

    pages: Mapping[str, str]
    """By address."""
    without_card: tuple[str, ...]
    """Addresses of the pages that show the card of the site."""
    files: Mapping[str, str]
    """For download, by address without the first slash."""
    site: str
    """Of the lists of the whole site."""
    card: str
    shown_everywhere: str
    """Of what every page shows of the whole site."""


class SiteDirectory:
    """Writes below one root, and sums the bytes of downloads."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self.download_bytes = 0
        self._pages: dict[str, str] = {}
        self._without_card: dict[str, None] = {}
        self._files: dict[str, str] = {}
        self._drawings: dict[str, str] = {}

    def write_site(self, site: Site) -> SiteData:
        """Write the data of the whole site; return the hashes of all that was written."""
        encoded = _encoded(site)
        self._write(self._root / "data" / "site.json", encoded)
        reports = [(each.url, each.title, each.feed) for each in site.reports]
        return SiteData(
            pages=self._pages,
            without_card=tuple(self._without_card),
            files=self._files,
            site=_hash(encoded),
            card=_hash(_encoded(site.card)),
            shown_everywhere=key_of(len(site.problems), bool(site.machine_files), reports),
        )

    def write_page(self, page: Page, markdown: str) -> None:
        """Write a page's data where its template finds it, and what it says: by its address."""
        # No slug begins with `_`: the files cannot be in the way of another page's directory.
        address = page.place.path
        directory = self._root / "assets" / f"perfpress{address}"
        encoded = _encoded(page)
        drawings = [self._drawings.get(name.decode()) for name in DRAWING.findall(encoded)]
        self._pages[address] = key_of(_hash(encoded), _hash(markdown.encode()), drawings)
        if page.place.card is None:
            self._without_card[address] = None
        self._write(directory / "_page.json", encoded)
        self._write(directory / "_page.md", markdown.encode())

    def drop_pages(self, address: str) -> None:
        """Remove the data of all pages at an address and below it."""
        shutil.rmtree(self._root / "assets" / f"perfpress{address}", ignore_errors=True)
        for page in [each for each in self._pages if each.startswith(address)]:
            del self._pages[page]
            self._without_card.pop(page, None)

    def add_drawing(self, name: str, drawing: Artifact) -> str:
        """Copy a drawing shown inside a page; return its name for the template."""
        asset = f"perfpress/{name}"
        self._copy(drawing.path, self._root / "assets" / asset)
        self._drawings[asset] = drawing.key
        return asset

    def add_download(self, address: str, file: Artifact, label: str) -> Link:
        """Copy a file to its address; return the link to it."""
        target = self._root / "static" / address.lstrip("/")
        self._copy(file.path, target)
        self._files[address.lstrip("/")] = file.key
        return self._link(target, address, label)

    def write_download(self, address: str, content: bytes, label: str) -> Link:
        """Write a file at its address; return the link to it."""
        self.write_file(address, content)
        return self._link(self._root / "static" / address.lstrip("/"), address, label)

    def write_file(self, address: str, content: bytes) -> None:
        """Write a file at its address."""
        self._write(self._root / "static" / address.lstrip("/"), content)
        self._files[address.lstrip("/")] = _hash(content)

    def keep_at(self, former: str, address: str) -> None:
        """Copy a written file to its former address."""
        static = self._root / "static"
        self._copy(static / address.lstrip("/"), static / former.lstrip("/"))
        self._files[former.lstrip("/")] = self._files[address.lstrip("/")]

    def _link(self, target: Path, address: str, label: str) -> Link:
        size = target.stat().st_size
        self.download_bytes += size
        return Link(
            label=label, url=address, note=byte_size(size), download=name_of_download(address)
        )

    def _write(self, target: Path, content: bytes) -> None:
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(content)

    def _copy(self, source: Path, target: Path) -> None:
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(source, target)


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
