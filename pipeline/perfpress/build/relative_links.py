"""Makes a site readable from a directory, without a server: opened in a browser as files.

From files, browsers load no scripts and no checked style sheets, and where a link ends in a
directory they show a list of files. So links become relative and name their page, and what could
only fail goes.
"""

import posixpath
import re
from pathlib import Path

ADDRESS = "file:"
"""Stands for the address of such a site, which has none."""
BUILT_FOR = "http://site.invalid/"
"""Placeholder host for Hugo, to be found again in its pages."""

TAG = re.compile(r"<(?:a|image|img|link|meta|script)\b[^>]*>")
LINK = re.compile(
    rf' (href="|src="|content="0; url=)(?:{re.escape(BUILT_FOR)}|/(?!/))([^"?#]*)([^"]*)"'
)
CHECKED = re.compile(r' (?:integrity="[^"]*"|crossorigin(?:="[^"]*")?)')
USELESS = re.compile(
    r'\s*(?:<script type="module"[^>]*></script>'
    r"|<template data-near[^>]*>.*?</template>"
    r"|<file-comparison\b.*?</file-comparison>\s*<noscript>.*?</noscript>"
    r'|<link rel="(?:canonical|preload|alternate)"[^>]*>'
    r'|<meta (?:property|name)="(?:og|twitter):[^>]*>'
    r'|<meta http-equiv="Content-Security-Policy"[^>]*>)',
    re.DOTALL,
)
ONLY_HERE = re.compile(r"<template data-disk>(.*?)</template>", re.DOTALL)
"""What stands in the place of what is useless."""


def make_readable(site: Path) -> None:
    """Rewrite all pages of a site that was built for `BUILT_FOR`."""
    for page in site.rglob("*.html"):
        html = page.read_text(encoding="utf-8")
        folder = page.parent.relative_to(site).as_posix()
        page.write_text(readable(html, folder), encoding="utf-8")


def readable(html: str, folder: str) -> str:
    """Return a page as it can be read from disk.

    Args:
        html: the page, as Hugo wrote it.
        folder: its place in the site: `reports/postgres`, `.` for the home page.
    """

    def relative(link: re.Match[str]) -> str:
        name, path, rest = link.groups()
        if not path or path.endswith("/"):
            path += "index.html"
        return f' {name}{posixpath.relpath(path, folder)}{rest}"'

    def rewrite(tag: re.Match[str]) -> str:
        return LINK.sub(relative, CHECKED.sub("", tag[0]))

    return TAG.sub(rewrite, ONLY_HERE.sub(r"\1", USELESS.sub("", html)))
