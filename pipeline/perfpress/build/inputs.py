"""What a site is made from, as hashes: each change says by itself what is made again.

Four parts of a text have different readers. The pipeline reads the front matter of reports and
what their shortcodes name; the pages below a report and lists show its title and date, lists an
excerpt, too; all pages may show the titles and order of other texts, and whatever else Hugo reads
of a front matter; the text itself is on its own page alone.
"""

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from urllib.parse import unquote

from perfpress.base.cache import (
    Cache,
    file_hash,
    key_of,
    node_version_key,
    python_version_key,
    tree_hash,
)
from perfpress.base.checkout import ROOT
from perfpress.base.file_tree import Folder, plain_name, regular_files
from perfpress.base.kept_results import Kept, KeptResults
from perfpress.base.toml.read import read_text
from perfpress.build.hugo import configured_title
from perfpress.build.request import TEMPLATES, BuildRequest
from perfpress.input.report.front_matter import FENCED, FILE_NAME, HUGO_KEYS
from perfpress.input.report.mentions import mentions_in

PAGE = re.compile(r"(?:[a-z0-9_.-]+/)*[a-z0-9_-]+\.md")
"""A text whose address is its path; Hugo rewrites others."""
REPORT = re.compile(rf"reports/[^/]+/{FILE_NAME}")

NAMED = frozenset({"title", "linkTitle", "date", "lastmod", "description", "keywords", "summary"})
"""Front matter of a report that only lists and the pages below it show."""

EXCERPT = "<!--more-->"
"""Hugo lists what stands before it with the title."""

MADE = ("reports/", "hosts/")
"""Where the pipeline makes pages, but those that somebody wrote."""

LINK = re.compile(r"\]\(\s*<?([^\s>)]+)|^ {0,3}\[[^\]]+\]:\s*<?([^\s>]+)", re.MULTILINE)
"""Where a link of a text leads to: `[results](/reports/a/)`, `[results]: /reports/a/`."""


@dataclass(frozen=True)
class Text:
    """One file of an author's, by hashes."""

    whole: str
    elsewhere: str
    """What other pages show of it."""
    title: str
    """That of a report: what lists and the pages below show of it."""
    named: str
    """What else they show."""
    excerpt: str
    """What lists show of a report's text."""
    read: str
    """What the pipeline reads of it."""
    linked: frozenset[str]
    """The names in the paths of its links: it depends on whether such pages are there."""


@dataclass(frozen=True)
class Inputs:
    """All that a site is made from, by hashes."""

    data: str
    """What the data of pages is made from."""
    shared: str
    """What every page is made with."""
    texts: Mapping[str, Text]
    """By path below the directory of texts."""
    states: Mapping[str, str]
    """By path: the states of directories of results that have settled, for who reads them."""

    @property
    def key(self) -> str:
        """The hash of it all."""
        whole = {name: text.whole for name, text in self.texts.items()}
        return key_of(self.data, self.shared, whole)


def inputs_of(request: BuildRequest, folders: Mapping[str, Folder], cache: Cache) -> Inputs:
    """Return the hashes of everything that a site is made from.

    Args:
        request: what to build.
        folders: the states of the directories of results.
        cache: keeps the hashes of results.
    """
    content = request.content
    texts = {
        plain_name(path, content): _text(path, plain_name(path, content))
        for path in sorted(regular_files(content))
    }
    code = [python_version_key(), node_version_key()]
    options = [request.base_url, request.drafts]
    return Inputs(
        data=key_of(
            [_results_hash(request.results, folders, cache), tree_hash([request.corrections])],
            [content.name, [(name, texts[name].read) for name in texts if name.startswith(MADE)]],
            [configured_title(), *code, *options],
        ),
        shared=key_of(
            [tree_hash([ROOT / name]) for name in TEMPLATES],
            [(name, each.elsewhere) for name, each in texts.items()],
            [*code, *options],
        ),
        texts=texts,
        states={path: each.state for path, each in folders.items() if each.is_settled},
    )


def _results_hash(results: Path, folders: Mapping[str, Folder], cache: Cache) -> str:
    """Return the hash of all results; directories that have not changed are not read again.

    One that changes meanwhile has another state by the next build.
    """

    def content(path: Path, folder: Folder, kept: Kept[str]) -> str:
        read = partial(tree_hash, [path])
        return kept(folder.state, read) if folder.is_settled else read()

    with KeptResults(cache).of(("results", str(results)), str) as kept:
        return key_of(
            [
                (plain_name(Path(path), results), content(Path(path), folder, kept))
                for path, folder in folders.items()
            ]
        )


def _text(path: Path, name: str) -> Text:
    whole = file_hash(path)
    is_report = REPORT.fullmatch(name) is not None
    text, _ = read_text(path, name) if PAGE.fullmatch(name) else (None, [])
    unknown = Text(
        whole,
        elsewhere=whole,
        title="",
        named="",
        excerpt="",
        read=whole if is_report else "",
        linked=linked_names(text or ""),
    )
    if text is None:
        return unknown
    front = FENCED.match(text)
    if front is None and text.startswith(("\ufeff", "+++", "---", "{")):
        return unknown
    matter, below = (front[1], text[front.end() :]) if front else ("", text)
    if not is_report:
        return replace(unknown, elsewhere=key_of(matter))
    try:
        values = tomllib.loads(matter)
    except (tomllib.TOMLDecodeError, RecursionError):
        return unknown
    of_hugo = {key: values[key] for key in (HUGO_KEYS | {"draft"}) - NAMED if key in values}
    excerpt, marker, _ = below.partition(EXCERPT)
    return replace(
        unknown,
        elsewhere=key_of(of_hugo),
        title=key_of(values.get("title")),
        named=key_of({key: values[key] for key in NAMED - {"title"} if key in values}),
        excerpt=key_of(excerpt) if marker else "",
        read=key_of(front is None, matter, sorted(mentions_in(below).arguments)),
    )


def linked_names(text: str) -> frozenset[str]:
    """Return the names in the paths of a text's links: too many rather than too few."""
    places = ("".join(found) for found in LINK.findall(text))
    parts = (part for place in places for part in re.split("[/?#]", unquote(place)))
    return frozenset(part.removesuffix(".md").casefold() for part in parts if part)
