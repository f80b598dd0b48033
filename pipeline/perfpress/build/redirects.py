"""Writes the pages that only lead to others, each where it is read.

A large archive has one a cell: its numbers are on another page, and its address lasts.
"""

from collections.abc import Collection, Iterable
from pathlib import Path

import msgspec

from perfpress.build.rendered import file_of_page
from perfpress.site.directory import redirects_file


def write_redirects(
    site_data: Path, addresses: Iterable[str], pages: Collection[str], out: Path
) -> None:
    """Write the redirects below some addresses.

    Args:
        site_data: what the pipeline wrote.
        addresses: those that redirects are below.
        pages: those that stay as they are, as Hugo has them: `/reports/a`.
        out: a directory with the other pages; one that somebody wrote comes before a redirect.
    """
    for above in addresses:
        content = (site_data / redirects_file(above)).read_bytes()
        for rest, html in msgspec.json.decode(content, type=dict[str, str]).items():
            path = f"{above}{rest}".rstrip("/")
            file = out / file_of_page(path)
            if path not in pages and not file.exists():
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_text(html, encoding="utf-8")
