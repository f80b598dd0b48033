"""What a site is made from, as hashes: each change says by itself what is made again.

Three parts of a text have different readers. The pipeline reads the front matter of reports and
what their shortcodes name; other pages show titles, order and whatever else Hugo reads of a front
matter; the text itself is on its own page alone.
"""

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from perfpress.base.cache import (
    file_hash,
    key_of,
    node_version_key,
    plain_name,
    python_version_key,
    regular_files,
    tree_hash,
)
from perfpress.base.checkout import ROOT
from perfpress.base.toml.read import read_text
from perfpress.build.hugo import configured_title
from perfpress.build.request import TEMPLATES, BuildRequest
from perfpress.input.report.front_matter import FENCED, FILE_NAME, HUGO_KEYS
from perfpress.input.report.mentions import mentions_in

PAGE = re.compile(r"(?:[a-z0-9_.-]+/)*[a-z0-9_-]+\.md")
"""A text whose address is its path; Hugo rewrites others."""
REPORT = re.compile(rf"reports/[^/]+/{FILE_NAME}")

MADE = ("reports/", "hosts/")
"""Where the pipeline makes pages, but those that somebody wrote."""


@dataclass(frozen=True)
class Text:
    """One file of an author's, by hashes."""

    whole: str
    elsewhere: str
    """What other pages show of it."""
    read: str
    """What the pipeline reads of it."""


@dataclass(frozen=True)
class Inputs:
    """All that a site is made from, by hashes."""

    data: str
    """What the data of pages is made from."""
    shared: str
    """What every page is made with."""
    texts: Mapping[str, Text]
    """By path below the directory of texts."""

    @property
    def key(self) -> str:
        """The hash of it all."""
        whole = {name: text.whole for name, text in self.texts.items()}
        return key_of(self.data, self.shared, whole)


def inputs_of(request: BuildRequest) -> Inputs:
    """Return the hashes of everything that a site is made from."""
    content = request.content
    texts = {
        plain_name(path, content): _text(path, plain_name(path, content))
        for path in sorted(regular_files(content))
    }
    code = [python_version_key(), node_version_key()]
    options = [request.base_url, request.drafts]
    return Inputs(
        data=key_of(
            [tree_hash([path]) for path in (request.results, request.corrections)],
            [content.name, [(name, texts[name].read) for name in texts if name.startswith(MADE)]],
            [configured_title(), *code, *options],
        ),
        shared=key_of(
            [tree_hash([ROOT / name]) for name in TEMPLATES],
            [(name, each.elsewhere) for name, each in texts.items()],
            [*code, *options],
        ),
        texts=texts,
    )


def _text(path: Path, name: str) -> Text:
    whole = file_hash(path)
    is_report = REPORT.fullmatch(name) is not None
    unknown = Text(whole, elsewhere=whole, read=whole if is_report else "")
    text, _ = read_text(path, name) if PAGE.fullmatch(name) else (None, [])
    if text is None:
        return unknown
    front = FENCED.match(text)
    if front is None and text.startswith(("\ufeff", "+++", "---", "{")):
        return unknown
    matter, below = (front[1], text[front.end() :]) if front else ("", text)
    if not is_report:
        return Text(whole, elsewhere=key_of(matter), read="")
    named = sorted(mentions_in(below).arguments)
    return Text(whole, elsewhere=_of_hugo(matter), read=key_of(front is None, matter, named))


def _of_hugo(matter: str) -> str:
    """Return the hash of what Hugo reads of a report's front matter."""
    try:
        values = tomllib.loads(matter)
    except (tomllib.TOMLDecodeError, RecursionError):
        return key_of(matter)
    return key_of({key: values[key] for key in HUGO_KEYS | {"title", "draft"} if key in values})
