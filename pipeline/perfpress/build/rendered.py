"""What each page of a site was made from: a build renders only pages that would differ."""

from collections.abc import Iterator, Mapping
from pathlib import PurePosixPath

import msgspec

from perfpress.base.cache import key_of
from perfpress.build.inputs import MADE, PAGE, Inputs
from perfpress.site.directory import Redirects, SiteData

PAGE_FILES = ("index.html", "index.md", "embed/index.html")
"""What Hugo writes of a page, below its address."""

HOME = "/"
OF_THE_WHOLE_SITE = (HOME, "/problems", "/reports")
"""Pages that list what is on others."""
WITH_ITS_CARD = ("/compare-files", "/search")
"""Pages of Perfpress that show the card of the site, and nothing else of its data."""


class Rendered(msgspec.Struct, frozen=True):
    """A site by hashes of what it is made from."""

    shared: str
    """Where it differs all pages do."""
    pages: Mapping[str, str]
    """By path as Hugo has it, `/reports/a`; the page of its figures alone is part of a page."""
    files: Mapping[str, str]
    """By path below the site: files for download, and no page."""
    redirects: Mapping[str, Redirects]
    """By the address that they are below."""
    titles: Mapping[str, str]
    """By path of pages that nobody wrote: the title of the report that they are of."""


class Changes(msgspec.Struct, frozen=True):
    """What one site has and another has not."""

    pages: tuple[str, ...]
    """To render."""
    retitled: tuple[str, ...]
    """To leave as they are, but for the title of their report."""
    files: tuple[str, ...]
    """To copy."""
    redirects: tuple[str, ...]
    """The addresses below which to write them."""
    gone_pages: tuple[str, ...]
    gone_files: tuple[str, ...]


def made_from(inputs: Inputs, data: SiteData) -> Rendered:
    """Return what a site is made from.

    A text depends on whether the pages are there that it links. Without results it shows the card
    of the site, too, and among the pages of the pipeline it lists those around it. Home lists the
    whole site. Pages of a report show its name, and a text among the reports those of the ones
    listed before and after it.
    """
    written = data.written
    pages = {_path(address): key for address, key in written.pages.items()}
    reports = {_path(address): key for address, key in data.reports.items()}
    for name, text in inputs.texts.items():
        if text.named:
            path = path_of_text(name)
            reports[path] = key_of(reports.get(path), text.named)
    of_data = {_path(address): title for address, title in data.titles.items()}
    names = dict(of_data)
    for name, text in inputs.texts.items():
        if text.title:
            path = path_of_text(name)
            names[path] = key_of(names.get(path), text.title)
    excerpts = sorted((name, text.excerpt) for name, text in inputs.texts.items())
    listed = key_of(sorted(reports.items()), sorted(names.items()), excerpts)
    for address in written.without_card:
        pages[_path(address)] = key_of(pages[_path(address)], data.card)
    there = sorted(pages)
    by_name: dict[str, list[str]] = {}
    for path in there:
        by_name.setdefault(path.rpartition("/")[2].casefold(), []).append(path)
    for name, text in inputs.texts.items():
        if PAGE.fullmatch(name):
            path = path_of_text(name)
            shown: list[object] = [by_name.get(each) for each in sorted(text.linked)]
            if path not in pages:
                shown += data.card, there if name.startswith(MADE) else None
            pages[path] = key_of(pages.get(path), text.whole, shown, path in reports and listed)
    texts = {path_of_text(name) for name in inputs.texts}
    titles = {}
    for path, key in pages.items():
        report = "/".join(path.split("/", 3)[:3])
        title = names.get(report)
        if report in of_data and path != report and path not in texts:
            titles[path], title = of_data[report], None
        pages[path] = key_of(key, reports.get(report), title)
    for path in OF_THE_WHOLE_SITE:
        pages[path] = key_of(pages.get(path), data.site, listed)
    for path in WITH_ITS_CARD:
        pages[path] = key_of(pages.get(path), data.card)
    shared = key_of(inputs.shared, data.shown_everywhere)
    return Rendered(shared, pages, written.downloads, written.redirects, titles)


def changes(old: Rendered, new: Rendered) -> Changes:
    """Return what makes one site the other, where both are made with the same templates."""
    return Changes(
        pages=_different(old.pages, new.pages),
        retitled=tuple(
            path
            for path in _different(old.titles, new.titles)
            if old.pages.get(path) == new.pages[path]
        ),
        files=_different(old.files, new.files),
        redirects=tuple(_changed_redirects(old, new)),
        gone_pages=tuple(sorted(old.pages.keys() - new.pages.keys())),
        gone_files=tuple(sorted({*_gone_redirects(old, new), *old.files} - new.files.keys())),
    )


def _changed_redirects(old: Rendered, new: Rendered) -> Iterator[str]:
    """Yield the addresses below which redirects are others, or come in the place of a page."""
    gone = old.pages.keys() - new.pages.keys()
    for above, redirects in new.redirects.items():
        if redirects != old.redirects.get(above) or (gone and gone & _paths(above, redirects)):
            yield above


def _gone_redirects(old: Rendered, new: Rendered) -> Iterator[str]:
    """Yield the files of pages that led to others and are there no more."""
    for above, redirects in old.redirects.items():
        if redirects != (now := new.redirects.get(above)):
            left = _paths(above, now) if now else set()
            yield from map(file_of_page, _paths(above, redirects) - left - new.pages.keys())


def _paths(above: str, redirects: Redirects) -> set[str]:
    return {_path(f"{above}{place}") for place in redirects.places.split("\n")}


def file_of_page(path: str) -> str:
    """Return the HTML of a page, `/reports/a`, as a path below the site."""
    return f"{path.lstrip('/')}/{PAGE_FILES[0]}"


def path_of_text(name: str) -> str:
    """Return the path of a text's page as Hugo has it: `/docs/paths` of `docs/paths.md`."""
    path = PurePosixPath("/", name)
    return str(path.parent if path.stem in ("index", "_index") else path.with_suffix(""))


def _path(address: str) -> str:
    return address.rstrip("/") or HOME


def _different(old: Mapping[str, str], new: Mapping[str, str]) -> tuple[str, ...]:
    return tuple(sorted(name for name, key in new.items() if old.get(name) != key))
