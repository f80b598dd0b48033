"""Published studies, made into sites the way their authors would: imported, described, built.

A site is built once a run of the tests, by the worker that needs it first. With
PERFPRESS_STUDIES=DIR the sites are built in that directory and stay there, to look at.
"""

import fcntl
import json
import os
import re
import shutil
import tarfile
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

import pytest
import zstandard
from perfpress.__main__ import main
from perfpress.build.request import BuildRequest
from perfpress.build.stages import build
from perfpress.input.bundles.contents import check_contents
from perfpress.input.bundles.discover import discover
from perfpress.input.bundles.read import Bundle
from perfpress.input.report.front_matter import FrontMatter, read_front
from small_site import quiet

HERE = Path(__file__).parent
BASE = "/perf/"
"""Path of the sites' address."""
VOID = frozenset({"area", "br", "col", "hr", "img", "input", "link", "meta", "source", "wbr"})
NOT_READ = frozenset({"script", "style", "svg"})


class Page(HTMLParser):
    """What a reader finds on a page: its text, the text of each element with an id, its links."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.links: list[str] = []
        """Addresses inside the site, without the base."""
        self._open: list[tuple[str, str, bool]] = []
        self._texts: dict[str, list[str]] = {"": []}
        self._columns: list[str] = []
        self._row = ""
        self._column = 0
        self.feed(html)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Open an element; what pops up is a text of its own, and what a cell's link is called."""
        given = dict(attrs)
        if self._open and self._open[-1][0] == "td" and (label := given.get("aria-label")):
            self.handle_data(f"{label}: ")
        if tag == "a" and (address := given.get("href") or "").startswith(BASE):
            self.links.append(address.removeprefix(BASE))
        name = self._cell_name(tag, given) or given.get("id") or ""
        if tag not in VOID:
            self._open.append((tag, name, "popover" in given))
            self._texts.setdefault(name, [])

    def _cell_name(self, tag: str, given: Mapping[str, str | None]) -> str:
        """Return the id that a script gives to a cell: that of its row, and the column's key."""
        if tag == "table":
            self._columns = []
        elif tag == "tr":
            self._row, self._column = given.get("id") or "", 0
        elif tag == "th" and (key := given.get("data-column")):
            self._columns.append(key)
        elif tag == "td" and self._row and self._column < len(self._columns):
            self._column += 1
            return f"{self._row}.{self._columns[self._column - 1]}"
        return ""

    def handle_endtag(self, tag: str) -> None:
        """Close the element, and those in it that need no end."""
        while self._open and self._open.pop()[0] != tag:
            pass

    def handle_data(self, data: str) -> None:
        """Add a text to all elements around it, up to what pops up."""
        if any(tag in NOT_READ for tag, _, _ in self._open):
            return
        for _, element, pops_up in reversed(self._open):
            if element:
                self._texts[element].append(data)
            if pops_up:
                return
        self._texts[""].append(data)

    def text(self, element: str = "") -> str:
        """Return the text of an element, or of the whole page without what pops up."""
        return " ".join("".join(self._texts[element]).split())

    def cell(self, table: str, row: str, column: str) -> str:
        """Return the text of a table's cell; a row is given by the beginning of its key."""
        start, end = f"{table}.{row}", f".{column}"
        (found,) = {each for each in self._texts if each.startswith(start) and each.endswith(end)}
        return self.text(found)


@dataclass(frozen=True)
class Study:
    """A published study and the site that was made of it."""

    report: str
    place: Path

    @property
    def site(self) -> Path:
        """The directory of the site."""
        return self.place / "public"

    @property
    def problems(self) -> list[str]:
        """What the build found wrong with it."""
        return (self.place / "problems.txt").read_text().splitlines()

    @cached_property
    def bundles(self) -> tuple[Bundle, ...]:
        """What was imported, after all that `perfpress check` looks at."""
        return imported_bundles(self.place / "results")

    @cached_property
    def drafted(self) -> FrontMatter:
        """The front matter that `perfpress import` drafted."""
        return front_matter(self.place / "draft" / "reports" / self.report / "_index.md")

    @cached_property
    def authored(self) -> FrontMatter:
        """The front matter that the author made of it."""
        return front_matter(self.place / "content" / "reports" / self.report / "_index.md")

    def page(self, address: str = "") -> Page:
        """Return a page of the report."""
        path = self.site / "reports" / self.report / address / "index.html"
        return Page(path.read_text())

    def file(self, name: str) -> bytes:
        """Return a download of the report."""
        return (self.site / "reports" / self.report / name).read_bytes()

    def api(self, name: str) -> Any:
        """Return what `/api/` says of this."""
        text = (self.site / "api" / f"{name}.json").read_text().replace("\N{NO-BREAK SPACE}", " ")
        return json.loads(text)[name]

    def verdict(self, release: str, step: str, variant: str) -> Any:
        """Return the verdict of a release's step against the base."""
        (found,) = (
            each
            for each in self.api("verdicts")
            if (each["release"], each["step"], each["variant"]) == (release, step, variant)
            and each["is_against_base"]
        )
        return found

    def search_index(self) -> Any:
        """Return what the search page searches."""
        return json.loads((self.site / "search" / "index.json").read_text())

    def found_by_search(self, function: str) -> list[tuple[str, str]]:
        """Return where the search leads from a function: addresses of pages, and what is there."""
        index = self.search_index()
        places = [
            index["places"][place] for name, place, _ in index["functions"] if name == function
        ]
        return [(urlsplit(url).path.lstrip("/"), label) for url, label in places]

    def has(self, address: str) -> bool:
        """Return whether an address of the site, without its base, leads to something."""
        path = self.site / unquote(urlsplit(address).path)
        return path.is_file() or (path / "index.html").is_file()


def front_matter(path: Path) -> FrontMatter:
    """Return the front matter of a report without a mistake."""
    front, problems = read_front(path, path.name)
    assert problems == []
    return front.matter


def imported_bundles(results: Path) -> tuple[Bundle, ...]:
    """Return the bundles in a directory, all good."""
    found, problems = discover(results, "results")
    assert problems == []
    assert [problem for bundle in found for problem in check_contents(bundle)] == []
    return found


def imported(place: Path, *words: str) -> None:
    """Call `perfpress import`; nothing is written beside the archive, which is another's."""
    out = ("--out", str(place / "results"), "--map", str(place / "map.toml"))
    assert main(["import", *words, *out, "--content", str(place / "draft")]) == 0


def archived(archive: Path) -> Iterator[tuple[str, bytes]]:
    """Yield the name and the content of each file in a packed archive."""
    with (
        archive.open("rb") as packed,
        zstandard.ZstdDecompressor().stream_reader(packed) as plain,
        tarfile.open(fileobj=plain, mode="r|") as members,
    ):
        for member in members:
            if file := members.extractfile(member):
                yield member.name.removeprefix("./"), file.read()


def unpack(archive: Path, target: Path, chosen: str) -> None:
    """Unpack the files whose names match a pattern."""
    shutil.rmtree(target, ignore_errors=True)
    for name, content in archived(archive):
        if re.fullmatch(chosen, name):
            path = target / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)


def published(
    report: str,
    make: Callable[[Path], None],
    directories: pytest.TempPathFactory,
    run: str,
) -> Study:
    """Return a study with its site, built unless another worker did.

    Args:
        report: the directory beside this file with the text that its author would write.
        make: imports the archive into `results`, `map.toml` and `draft` of a directory.
        directories: of this run of the tests.
        run: names it.
    """
    base = directories.getbasetemp()
    # A worker has a directory of its own in that of the whole run.
    shared = base.parent if base.name.startswith("popen-") else base
    place = Path(os.environ.get("PERFPRESS_STUDIES", shared / "studies")) / report
    place.mkdir(parents=True, exist_ok=True)
    with (place / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        done = place / "run"
        if not done.exists() or done.read_text() != run:
            make(place)
            _build(report, place)
            done.write_text(run)
    return Study(report, place)


def _build(report: str, place: Path) -> None:
    content = place / "content"
    (content / "reports" / report).mkdir(parents=True, exist_ok=True)
    (content / "_index.md").write_text('+++\ntitle = "Home"\n+++\n')
    shutil.copy(HERE / report / "_index.md", content / "reports" / report)
    request = BuildRequest(
        results=place / "results",
        content=content,
        out=place / "public",
        base_url=f"https://example.org{BASE}",
        processes=2,
        drafts=False,
        cache=place / "cache",
    )
    problems = build(request, quiet).problems
    (place / "problems.txt").write_text("".join(f"{each}\n" for each in problems))
