"""The directory of derived files that Hugo mounts: pages' data, drawings, and downloads."""

import shutil
from pathlib import Path

import msgspec

from perfpress.base.cache import Artifact
from perfpress.base.display import byte_size
from perfpress.base.slugs import shortened
from perfpress.site.shapes.blocks import Link
from perfpress.site.shapes.compare import ComparePage
from perfpress.site.shapes.matrix import MatrixPage
from perfpress.site.shapes.pages import (
    DiffPage,
    HostPage,
    HostsPage,
    MovedPage,
    ReleasePage,
    ReportPage,
    StepPage,
    VariantPage,
)
from perfpress.site.shapes.site import Site

LONGEST_STEM = 150
"""Characters before what a download is; file systems take 255 in all."""

Page = (
    ReportPage
    | VariantPage
    | ReleasePage
    | StepPage
    | MatrixPage
    | DiffPage
    | ComparePage
    | MovedPage
    | HostPage
    | HostsPage
)


class SiteDirectory:
    """Writes below one root, and sums the bytes of downloads."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self.download_bytes = 0

    def write_site(self, site: Site) -> None:
        """Write the data of the whole site."""
        self._write(self._root / "data" / "site.json", _encoded(site))

    def write_page(self, page: Page, markdown: str) -> None:
        """Write a page's data where its template finds it, and what it says: by its address."""
        # No slug begins with `_`: the files cannot be in the way of another page's directory.
        directory = self._root / "assets" / f"perfpress{page.place.path}"
        self._write(directory / "_page.json", _encoded(page))
        self._write(directory / "_page.md", markdown.encode())

    def drop_pages(self, address: str) -> None:
        """Remove the data of all pages at an address and below it."""
        shutil.rmtree(self._root / "assets" / f"perfpress{address}", ignore_errors=True)

    def add_drawing(self, name: str, drawing: Artifact) -> str:
        """Copy a drawing shown inside a page; return its name for the template."""
        asset = f"perfpress/{name}"
        self._copy(drawing.path, self._root / "assets" / asset)
        return asset

    def add_download(self, address: str, file: Artifact, label: str) -> Link:
        """Copy a file to its address; return the link to it."""
        target = self._root / "static" / address.lstrip("/")
        self._copy(file.path, target)
        return self._link(target, address, label)

    def write_download(self, address: str, content: bytes, label: str) -> Link:
        """Write a file at its address; return the link to it."""
        target = self._root / "static" / address.lstrip("/")
        self._write(target, content)
        return self._link(target, address, label)

    def keep_at(self, former: str, address: str) -> None:
        """Copy a written file to its former address."""
        static = self._root / "static"
        self._copy(static / address.lstrip("/"), static / former.lstrip("/"))

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


def _encoded(value: object) -> bytes:
    return msgspec.json.format(msgspec.json.encode(value, order="deterministic"), indent=1) + b"\n"
