"""The shape of the data of the whole site, for the home page and the content adapter."""

from typing import Literal

import msgspec

from perfpress.base.problems import Severity
from perfpress.input.report.shortcodes import ShortcodeArgument
from perfpress.site.shapes.blocks import Link, Sentence, Table
from perfpress.site.shapes.pages import Card


class ListedReport(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A report as the home page lists it."""

    id: str
    title: str
    url: str
    summary: str
    """"4 releases, 3 steps, 28 runs; newest run 2026-11-21"."""
    headline: Sentence = ()
    """What its page opens with; empty without results."""
    feed: str = ""
    """Address of its feed of changes."""


class AdapterPage(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A page that the content adapter adds."""

    path: str
    """Below the content root, without slashes at the ends."""
    title: str
    kind: Literal["page", "section"] = "page"


class OtherPlace(msgspec.Struct, frozen=True, kw_only=True):
    """Where a problem of a kind is too."""

    where: str
    found: str


class ListedProblem(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A `Problem` as `/problems/` shows it, with the others of its kind."""

    where: str
    found: str
    expected: str
    do: str
    severity: Severity
    excerpt: str = ""
    """What it is about, with a `^` below the place."""
    others: tuple[OtherPlace, ...] = ()
    """The first of them."""
    count: int = 0
    """Of all others."""


Renders = Literal["number", "table", "chart", "graph", "drilldown", "calltree"]
"""What a shortcode shows: `layouts/_partials/shortcode.html` has a branch for each."""


class ShortcodeForm(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """How a shortcode is written and rendered."""

    renders: Renders
    arguments: tuple[ShortcodeArgument, ...]


class Listing(msgspec.Struct, frozen=True, kw_only=True):
    """A table of the docs that lists what the pipeline knows; cells are Markdown."""

    heads: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


class Site(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What is true of the whole site."""

    reports: tuple[ListedReport, ...]
    titles: dict[str, str] = {}
    """Of reports, by id: `partials/page-data.html` puts them in the place of their mark."""
    pages: tuple[AdapterPage, ...]
    """Pages that nobody wrote by hand."""
    embeds: tuple[AdapterPage, ...] = ()
    """Pages of the figures of one page alone, for frames on other sites."""
    problems: tuple[ListedProblem, ...]
    all_problems: Link | None = None
    """The file of all, where their page has only the first of a kind."""
    changes: Table | None = None
    """What the last release of each report changed; confirmed changes come first."""
    no_changes: str = ""
    """Why there is no such table."""
    machine_files: tuple[Link, ...] = ()
    """The feed of changes, and what `/api/` holds."""
    hosts: tuple[Link, ...] = ()
    """What benchmarks ran on."""
    card: Card | None = None
    """Of the home page, and of all pages that have none nearer."""
    listings: dict[str, Listing] = {}
    """Tables of the docs, by the name that the shortcode `listing` takes."""
    functions: Table
    """The empty table of functions of the page that compares files."""
    shortcodes: dict[str, ShortcodeForm] = {}
    """By name."""
    size: str
    """Of all files for download: `12.3 MB`."""
