"""Requests and answers of the jobs that draw charts and cards."""

from collections.abc import Sequence
from typing import Literal

from perfpress.base.node.messages.message import Answer, Message, Output, Request


class CardColumn(Message, frozen=True):
    """The head of a column of a card."""

    label: str
    numeric: bool


class CardCell(Message, frozen=True):
    """A cell of a card."""

    text: str
    tone: Literal["", "better", "worse", "same", "unknown"] = ""


class CardRow(Message, frozen=True):
    """A row of a card."""

    label: str
    cells: Sequence[CardCell]


class TableCardAnswer(Answer, frozen=True):
    """The size of the picture."""

    bytes: int


class TableCardRequest(Request[TableCardAnswer], frozen=True, kw_only=True, tag="table-card"):
    """Draw a table as the picture shown where its page is linked to."""

    title: str
    about: str
    line: str
    row_head: str
    columns: Sequence[CardColumn]
    rows: Sequence[CardRow]
    """As many as there are; for those without room their number is shown."""
    rows_left: str
    """What a row is, where one is left out: `step`."""
    rows_left_many: str
    out: Output


class ChartAnswer(Answer, frozen=True):
    """The size of a chart in the page, and of its picture in pixels."""

    bytes: int
    width: int
    height: int


class ChartRequest(Request[ChartAnswer], frozen=True, kw_only=True):
    """Draw a chart: in the page, by itself, and as a picture."""

    title: str
    description: str
    """What a reader who does not see the chart should know."""
    site: str = ""
    """Address of the site, with a slash at its end."""
    page: str
    """Address of the chart's page on it."""
    out: Output
    alone: Output
    picture: Output


class Curve(Message, frozen=True, kw_only=True):
    """The percentiles of a release."""

    label: str
    current: bool = False
    """The release whose page this is."""
    points: Sequence[tuple[float, float]]
    """Part below 1 of the operations, and the time that they took at most; both ascending."""


class PercentilesRequest(ChartRequest, frozen=True, kw_only=True, tag="percentiles"):
    """Curves of percentiles, one a release."""

    series: Sequence[Curve]
    unit: str


class SeriesLine(Message, frozen=True, kw_only=True):
    """A release over time."""

    label: str
    current: bool = False
    """The release whose page this is."""
    pieces: Sequence[Sequence[tuple[float, float, float, float]]]
    """Second, median, lowest and highest value, in pieces where values are missing."""
    runs: Sequence[Sequence[Sequence[tuple[float, float]]]]
    """The repeats that are drawn too, in pieces: second and value."""


class OverTimeRequest(ChartRequest, frozen=True, kw_only=True, tag="over-time"):
    """Lines of a metric over the seconds of a step, one a release."""

    series: Sequence[SeriesLine]
    end: float
    """Seconds at which the last stretch ends."""
    stretch: float | None
    """Seconds of a stretch, where it is of several values."""
    unit: str


class RelativeRow(Message, frozen=True, kw_only=True):
    """A release relative to the base."""

    label: str
    current: bool = False
    """The release whose page this is."""
    ratio: float | None
    """None where the release has no run."""
    interval: tuple[float, float] | None = None
    runs: Sequence[float]
    """Every run's ratio to the base."""
    mark: str = ""
    """What changed from this release on."""


class RelativeRequest(ChartRequest, frozen=True, kw_only=True, tag="relative"):
    """Releases relative to the base, from top to bottom."""

    releases: Sequence[RelativeRow]
    base: str


class StepRow(Message, frozen=True, kw_only=True):
    """A step release by release."""

    label: str
    group: str = ""
    """Heading above it: that of the steps that begin here."""
    ratios: Sequence[float | None]
    """To the base, one a release."""
    marks: Sequence[int]
    """Places of the releases from which on the level is another."""
    mark: str
    """The largest of these changes in words."""


class ReleasesRequest(ChartRequest, frozen=True, kw_only=True, tag="releases"):
    """All steps relative to the base, release by release."""

    releases: Sequence[str]
    steps: Sequence[StepRow]
    base: str


class TimelineSpan(Message, frozen=True):
    """A span of a trace; times in the unit of the request."""

    label: str
    place: str
    start: float
    time: float
    depth: int
    slow: bool


class TimelineRequest(ChartRequest, frozen=True, kw_only=True, tag="timeline"):
    """A trace of one operation, from top to bottom."""

    spans: Sequence[TimelineSpan]
    unit: str
