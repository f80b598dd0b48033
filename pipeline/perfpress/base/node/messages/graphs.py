"""Requests and answers of the jobs that draw flame graphs and diffs."""

from collections.abc import Mapping, Sequence
from typing import Literal

import msgspec
from msgspec import UNSET, UnsetType

from perfpress.base.cache import Artifact
from perfpress.base.node.messages.findings import Basis, Findings
from perfpress.base.node.messages.message import Answer, Message, Output, Request
from perfpress.base.node.messages.profiles import CapturePart, Digits


class FunctionColumn(Message, frozen=True):
    """The head of a column of a table of functions."""

    key: str
    label: str
    unit: str
    meaning: str


class FunctionCell(Message, frozen=True):
    """A number of a function, and how it reads."""

    text: str
    value: float | None


class FunctionRow(Message, frozen=True):
    """A function; its `id` is family of its class and name-match key."""

    id: str
    name: str
    kind: str
    cells: tuple[FunctionCell, ...]


class FunctionTable(Message, frozen=True):
    """The first rows of a table of functions, in words."""

    columns: tuple[FunctionColumn, ...]
    first: str
    """Key of the column that the rows are sorted by."""
    rows: tuple[FunctionRow, ...]
    functions: int
    """How many the whole table has."""


class GoneFunction(Message, frozen=True):
    """A function of the base that the profile after does not have."""

    id: str
    name: str
    path: str
    """Of its widest frame."""
    self_percent: float
    """Of the base's whole."""
    total_percent: float


class GoneFunctions(Message, frozen=True):
    """The functions of the base that the profile after does not have."""

    functions: int
    self_percent: float
    """Their self weight together, of the base's whole."""
    rows: tuple[GoneFunction, ...]
    """The largest self weight first; at most so many as a page lists."""


class CardFile(Message, frozen=True):
    """A PNG for links to the page, and the text next to the picture."""

    out: Output
    about: str
    line: str = ""


class FlamegraphAnswer(Answer, frozen=True, kw_only=True):
    """What was drawn of a profile."""

    frames: int
    """Nodes of the profile."""
    drawn: int
    """In the standalone SVG."""
    left_out: int
    """Too thin to draw there."""
    left_out_weight: Digits
    functions: FunctionTable
    inline_drawn: int = 0
    inline_left_out: int = 0


class Work(Message, frozen=True):
    """What a weight was spent on: a cost is weight ÷ operations."""

    operations: float
    cost_unit: str
    """`cycles per insert`."""


class InlineGraph(Message, frozen=True):
    """The picture for a page."""

    out: Output
    max_frames: int | UnsetType = UNSET


class FlamegraphRequest(Request[FlamegraphAnswer], frozen=True, kw_only=True, tag="flamegraph"):
    """Draw a profile."""

    profile: Artifact
    title: str
    subtitle: str | tuple[str, ...] | UnsetType = UNSET
    work: Work | None = None
    out: Output
    inline: InlineGraph | UnsetType = UNSET
    card: CardFile | UnsetType = UNSET


class Joined(Message, frozen=True, kw_only=True):
    """Functions of both profiles that were matched under different names."""

    key: str
    base_key: str
    """That of the names in the base; differs by `scope` and `renamed`."""
    family: str = msgspec.field(name="class")
    how: Literal["name", "alias", "scope", "renamed"]
    base: tuple[str, ...]
    after: tuple[str, ...]
    why: str


class DiffAnswer(Answer, frozen=True, kw_only=True):
    """What a page says of a diff."""

    matched_percent: float
    """Of the weight, mean of both sides."""
    matched: str
    """How much of the weight of both sides could be matched, in words."""
    functions_first: bool
    """Less than half was matched, so the table of functions comes before the graph."""
    joined: tuple[Joined, ...]
    threads: tuple[str, ...]
    """A sentence where all threads are taken together."""
    legend: tuple[str, ...]
    about: str
    """What width and colour are."""
    noise: str
    """The assumed noise, or that it is unknown."""
    frames: int
    """Of both sides together."""
    functions: FunctionTable
    gone: GoneFunctions
    changes: Findings


class Factors(Message, frozen=True):
    """What each side is multiplied with."""

    base: float
    after: float


class DiffRequest(Request[Answer], frozen=True, kw_only=True, tag="diff"):
    """Compare two profiles. Neither is named: with other labels nothing is compared again."""

    base: Artifact
    after: Artifact
    base_captures: Sequence[CapturePart] = ()
    """Those that the base was merged from."""
    after_captures: Sequence[CapturePart] = ()
    basis: Basis = "share"
    bases: Mapping[Basis, Factors] = {}
    """Those known besides the share."""
    cost_of: str | UnsetType = UNSET
    """The operation that relative costs are percent of: `one insert on 17`."""
    aliases: Mapping[str, Sequence[str]] = {}
    """By key: the keys that are the same function."""
    overdispersion: float | UnsetType = UNSET
    """Of other captures of the archive, where these do not show it."""
    out_diff: Output
    out_findings: Output
    out_folded: Output | UnsetType = UNSET


class DiffGraphRequest(Request[DiffAnswer], frozen=True, kw_only=True, tag="diffgraph"):
    """Put a diff into words, with the labels of its sides, and draw it."""

    diff: Artifact
    findings: Artifact
    base_label: str
    after_label: str
    out_json: Output | UnsetType = UNSET
    """The diff with its labels."""
    out_suspects: Output | UnsetType = UNSET
    """The findings with theirs."""
    title: str
    headline: Sequence[str] = ()
    """What else is known of both sides: lines of text."""
    out: Output | UnsetType = UNSET
    inline: InlineGraph | UnsetType = UNSET
    card: CardFile | UnsetType = UNSET
