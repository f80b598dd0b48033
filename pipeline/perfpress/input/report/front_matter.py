"""The front matter of a report: what its author decided.

The front matter of `content/reports/<report>/_index.md` is TOML between two lines `+++`. Hugo reads
it too: its own keys (`title`, `date`, `aliases` …) keep their meaning, and what the pipeline needs
is next to them at the top. An unknown key is an error here, so that a slip is not taken for a
setting of the theme; what only templates read belongs under `[params]`.
"""

import datetime
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from perfpress.base.problems import Problem
from perfpress.base.toml.read import Document, convert_parts, parse_toml, read_text
from perfpress.input.bundles.schema import Name
from perfpress.input.corrections.files import Rename
from perfpress.input.report.mentions import Mentions, mentions_in
from perfpress.input.report.rates import RateTable, renamed_rates

FILE_NAME = "_index.md"

HUGO_KEYS = frozenset(
    {"aliases", "build", "cascade", "date", "description", "expiryDate", "headless"}
    | {"isCJKLanguage", "keywords", "lastmod", "layout", "linkTitle", "markup", "menus"}
    | {"modified", "outputs", "params", "publishDate", "resources", "sitemap", "slug"}
    | {"translationKey", "type", "url", "weight"}
)
"""Front matter of Hugo's own; the pipeline does not read it."""

FENCED = re.compile(r"\ufeff?\+\+\+[ \t]*\n(.*?)^\+\+\+[ \t]*$", re.DOTALL | re.MULTILINE)
"""TOML between two lines of `+++`."""


class Release(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The facts of one build under test."""

    id: Name
    """As run.toml's `release`."""
    label: Name | None = None
    version: Name | None = None
    date: datetime.date | None = None
    branch: Name | None = None
    order: int | None = None


class StepGroup(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Steps that are shown together, in this order."""

    title: Name
    steps: tuple[Name, ...]


class Column(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One column of a drilldown."""

    head: Name
    path: Annotated[str, Meta(min_length=1, max_length=2000)]
    """In the path language; parsed by `perfpress.analysis.paths`."""


class Rest(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A column of what a path has besides the other columns."""

    head: Name = "the rest"
    path: Annotated[str, Meta(min_length=1, max_length=2000)]


class DrilldownDefinition(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A table of shares or costs by frame path, one row a release."""

    name: Name
    """What shortcodes call it."""
    title: Name | None = None
    steps: tuple[Name, ...] = ()
    """Where it is shown; everywhere when empty."""
    columns: Annotated[tuple[Column, ...], Meta(min_length=1)]
    threshold: Annotated[float, Meta(ge=0, le=100)] = 0.0
    """Columns whose share stays below this many percent in all releases are left out."""
    numbers: Literal["share", "cost", "both"] = "share"
    """What the columns show: shares of the profile, costs per operation, or each in turn."""
    rest: Rest | None = None


class CallTreeDefinition(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a frame called, all releases side by side."""

    name: Name
    """What shortcodes call it."""
    title: Name | None = None
    steps: tuple[Name, ...] = ()
    """Where it is shown; everywhere when empty."""
    root: Annotated[str, Meta(min_length=1, max_length=2000)]
    """In the path language."""
    threshold: Annotated[float, Meta(gt=0, le=100)] = 0.4
    """Frames whose share stays below this many percent in all releases are left out."""
    depth: Annotated[int, Meta(ge=1, le=50)] = 2
    """Levels below the root."""


class DiffPair(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A diff in addition to those against the base and the previous release."""

    release: Name
    base: Name
    steps: tuple[Name, ...] = ()
    """All steps when empty."""


Alike = Annotated[tuple[Name, ...], Meta(min_length=2)]
"""Names that the author declares equivalent: two or more."""


class FunctionKindNames(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Functions that the author assigns to kinds: names, or patterns with `*`."""

    allocator: tuple[Name, ...] = ()
    memory: tuple[Name, ...] = ()
    locks: tuple[Name, ...] = ()

    def by_kind(self) -> dict[str, tuple[str, ...]]:
        """Return the names by kind."""
        return {kind: getattr(self, kind) for kind in self.__struct_fields__}


class FrontMatter(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The keys that the pipeline reads."""

    title: str | None = None
    summary: str = ""
    draft: bool = False
    base: Name | None = None
    default_variant: Name | None = None
    """The slug of a variant."""
    releases: tuple[Release, ...] = ()
    variants: dict[Name, Name] = {}
    """Names to show, by slug."""
    step_groups: tuple[StepGroup, ...] = ()
    thread_aliases: dict[Name, tuple[Name, ...]] = {}
    """By the name that is shown: the names that are the same."""
    function_aliases: dict[Name, tuple[Name, ...]] = {}
    function_kinds: FunctionKindNames = FunctionKindNames()
    drilldowns: tuple[DrilldownDefinition, ...] = ()
    calltrees: tuple[CallTreeDefinition, ...] = ()
    diffs: tuple[DiffPair, ...] = ()
    twin_variants: tuple[Alike, ...] = ()
    """Slugs of variants that differ in nothing that matters: their differences are noise."""
    same_code: tuple[Alike, ...] = ()
    """Releases that are the same code under several names (A/A): their differences are noise."""
    same_config: tuple[Alike, ...] = ()
    """Configurations that are one under several names, because the name changed with a release."""
    prior: Annotated[float, Meta(gt=0, le=0.5)] | None = None
    """Relative standard deviation of one run, where the archive does not show it."""
    rates: RateTable = {}
    """Relative rates, where the archive has profiles and no throughput."""


@dataclass(frozen=True)
class ReportText:
    """A report's front matter as read."""

    matter: FrontMatter = field(default_factory=FrontMatter)
    unreadable: bool = False
    """The text is there and no page can be made of it: the report is shown without it."""
    document: Document | None = field(default=None, repr=False, compare=False)
    """For the lines of messages: `report.document.line("drilldowns", 0, "columns", 1, "path")`."""
    mentions: Mentions = field(default_factory=Mentions)
    """What the text below the front matter names."""


def with_renames(matter: FrontMatter, renames: Iterable[Rename]) -> FrontMatter:
    """Return what the author decided, in the names that releases and steps have now."""
    for rename in renames:
        matter = _with_rename(matter, rename)
    return matter


def _with_rename(matter: FrontMatter, rename: Rename) -> FrontMatter:
    replace = msgspec.structs.replace

    def release(name: str) -> str:
        return rename.new if rename.what == "release" and name == rename.old else name

    def step(name: str) -> str:
        return rename.new if rename.what == "step" and name == rename.old else name

    def steps(names: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(map(step, names))

    return replace(
        matter,
        base=None if matter.base is None else release(matter.base),
        releases=tuple(
            # A label that is the old name, as drafts have it, would hide the new one.
            replace(each, id=release(each.id), label=None if each.label == each.id else each.label)
            for each in matter.releases
        ),
        step_groups=tuple(replace(each, steps=steps(each.steps)) for each in matter.step_groups),
        drilldowns=tuple(replace(each, steps=steps(each.steps)) for each in matter.drilldowns),
        calltrees=tuple(replace(each, steps=steps(each.steps)) for each in matter.calltrees),
        diffs=tuple(
            replace(
                each,
                release=release(each.release),
                base=release(each.base),
                steps=steps(each.steps),
            )
            for each in matter.diffs
        ),
        same_code=tuple(tuple(map(release, each)) for each in matter.same_code),
        rates=renamed_rates(matter.rates, release, step),
    )


def read_front(path: Path, shown_as: str) -> tuple[ReportText, list[Problem]]:
    """Return what a report's author decided, without what is wrong in it."""
    text, problems = read_text(path, shown_as)
    if text is None:
        return ReportText(unreadable=True), problems
    between = FENCED.match(text)
    if between is None:
        front = ReportText(mentions=mentions_in(text))
        return front, list(_no_front_matter(text, shown_as))
    document, problems = parse_toml(between[1], shown_as, first_line=2)
    if document is None:
        # A draft with a slip in it is still not meant to be seen.
        draft = re.search(r"^draft\s*=\s*true\b", between[1], re.MULTILINE) is not None
        return ReportText(FrontMatter(draft=draft), unreadable=True), problems
    read = convert_parts(document, FrontMatter, HUGO_KEYS)
    matter = read.value or FrontMatter()
    mentions = mentions_in(text[between.end() :])
    return ReportText(matter, document=document, mentions=mentions), list(read.problems)


def _no_front_matter(text: str, shown_as: str) -> Iterator[Problem]:
    """Yield why there is no TOML between `+++`; a text without any front matter is fine."""
    if text.startswith(("---", "{")):
        language = "YAML" if text.startswith("---") else "JSON"
        found, do = f"front matter in {language}", 'rewrite it as TOML: title = "…"'
        yield Problem(path=shown_as, line=1, found=found, expected="TOML between +++ lines", do=do)
    elif text.startswith("+++"):
        found = "front matter that does not end"
        yield Problem(path=shown_as, line=1, found=found, expected="a second line +++")
