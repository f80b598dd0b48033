"""Scans the files of a built site for injected elements, attributes, addresses and formulas."""

import re
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

VISIBLE_SPACES = "\n\t\u00a0\u2007\u2009\u202f\u2060"
"""Spaces that text and numbers are set with."""
LOADED = frozenset(
    {"src", "srcset", "href", "xlink:href", "action", "formaction", "data", "poster"}
)
OF_A_SITE = frozenset({"http", "https", ""})


class Page(HTMLParser):
    """What a page consists of."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.elements: set[str] = set()
        self.attributes: set[str] = set()
        self.addresses: list[tuple[str, str]] = []
        """By element."""
        self.scripts: list[str] = []
        """Texts inside of script and style."""
        self.styles: list[str] = []
        self._inside = ""
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note the element and its attributes."""
        self.elements.add(tag)
        self._inside = tag if tag in ("script", "style") else ""
        kind = dict(attrs).get("type") or "text/javascript"
        if self._inside and "json" in kind:
            self._inside = ""
        for name, value in attrs:
            self.attributes.add(name)
            if name in LOADED and value is not None:
                self.addresses.append((tag, value))
            if name == "style" and value:
                self.styles.append(value)

    def handle_endtag(self, _: str) -> None:
        """Note that an element ended."""
        self._inside = ""

    def handle_data(self, data: str) -> None:
        """Note the text of scripts."""
        if self._inside and data.strip():
            self.scripts.append(data)


def unseen(text: str) -> set[str]:
    """Return the invisible characters of a text, and those that change its direction."""
    return {char for char in text if not char.isprintable() and char not in VISIBLE_SPACES}


def leads_elsewhere(address: str, base: str) -> bool:
    """Return whether a page would load it from another site, or run it."""
    parts = urlsplit(address.strip())
    if parts.scheme not in OF_A_SITE:
        return parts.scheme != "data" or not address.startswith("data:image/svg+xml")
    own = urlsplit(base)
    climbs = ".." in unquote(parts.path).split("/")
    return climbs or (bool(parts.netloc) and parts.netloc != own.netloc)


def files(site: Path, *suffixes: str) -> list[Path]:
    """Return the files of a site with one of the suffixes."""
    found = sorted(path for path in site.rglob("*") if path.suffix in suffixes)
    assert found, suffixes
    return found


def formulas(rows: Iterator[list[str]]) -> list[str]:
    """Return the cells that a spreadsheet would compute."""
    number = re.compile(r"[-+]?[\d.]+(e[-+]?\d+)?")
    return [
        cell
        for row in rows
        for cell in row
        if cell.lstrip()[:1] in tuple("=+-@\t\r") and cell and not number.fullmatch(cell)
    ]
