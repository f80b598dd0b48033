"""Puts another title of a report into its finished pages, which all show it.

Hugo renders a page where it could show the same words for another reason, or where the title has
characters that HTML or JSON write otherwise.
"""

import re
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path

from perfpress.base.checkout import ROOT
from perfpress.base.file_tree import regular_files
from perfpress.build.hugo import CONFIG
from perfpress.build.rendered import PAGE_FILES, Rendered
from perfpress.build.request import BuildRequest
from perfpress.input.report.front_matter import FILE_NAME
from perfpress.site.directory import DRAWING

PLAIN = re.compile(r"[\w .,:;/()–—-]*[\w.,:;/()–—-]")
"""A title that is written the same in HTML, in attributes and in JSON."""


def changed_titles(
    request: BuildRequest, pages: Sequence[str], old: Rendered, new: Rendered
) -> tuple[dict[Path, bytes], list[str]]:
    """Return the files of pages whose report has another title.

    Returns:
        The files that change, with what they are to hold, and the pages that Hugo has to render.
    """
    changed: dict[Path, bytes] = {}
    left = []
    others = _of_all_pages(request.content) if pages else ()

    @cache
    def is_unlike_others(title: str) -> bool:
        """Return whether no page has a title for another reason, but for its own words."""
        return title not in request.built_for and not any(title.encode() in each for each in others)

    for path in pages:
        before, after = old.titles[path], new.titles[path]
        if (
            PLAIN.fullmatch(before)
            and PLAIN.fullmatch(after)
            and is_unlike_others(before)
            and not any(before.encode() in each for each in _words_of(request.site_data, path))
        ):
            changed |= dict(_retitled(request.out / path.lstrip("/"), before, after))
        else:
            left.append(path)
    return changed, left


def _retitled(page: Path, before: str, after: str) -> Iterator[tuple[Path, bytes]]:
    """Yield the files of a page that show the title, with the new one."""
    for file in (page / name for name in PAGE_FILES):
        content = file.read_bytes() if file.is_file() else b""
        if before.encode() in content:
            yield file, content.replace(before.encode(), after.encode())


def _words_of(site_data: Path, path: str) -> Iterator[bytes]:
    """Yield what a page is made from: its data, and the drawings that it shows."""
    assets = site_data / "assets"
    data = (assets / f"perfpress{path}" / "_page.json").read_bytes()
    yield data
    for name in DRAWING.findall(data):
        yield (assets / name.decode()).read_bytes()


def _of_all_pages(content: Path) -> tuple[bytes, ...]:
    """Return the files that all pages have words from."""
    texts = [
        path
        for path in regular_files(content)
        if path.suffix == ".md" and not path.is_relative_to(content / "reports")
    ]
    listed = content / "reports" / FILE_NAME
    files = (CONFIG, *regular_files(ROOT / "layouts"), *texts, *([listed] * listed.is_file()))
    return tuple(each.read_bytes() for each in files)
