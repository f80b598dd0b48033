"""Requests and answers of the jobs that make profiles, and files of them."""

from collections.abc import Sequence
from typing import Annotated

import msgspec
from msgspec import Meta

from perfpress.base.cache import Artifact
from perfpress.base.node.messages.message import Answer, Message, Output, Request

Digits = Annotated[
    str,
    Meta(description="An exact weight, unscaled, in decimal digits.", pattern="^[0-9]{1,1000}$"),
]
Count = Annotated[int, Meta(ge=0, le=2**53 - 1)]
"""JavaScript has no larger integers."""


class Skipped(msgspec.Struct, frozen=True):
    """What was not read of a capture."""

    reason: str
    count: Count
    first_line: Count


class Label(msgspec.Struct, frozen=True):
    """A label of a capture's samples, and how many values it has."""

    key: str
    values: Count
    """How many different ones."""


class Capture(msgspec.Struct, frozen=True):
    """One capture that went into a profile."""

    file: str
    sha256: str
    format: str
    samples: Count | None
    weight: Digits
    lost: Count
    partial: bool
    shares_only: str | None
    """Why its weights give shares only, not what an operation or a second costs."""
    skipped: tuple[Skipped, ...]
    labels: tuple[Label, ...] = ()


class WrittenProfile(Message, frozen=True):
    """A profile file that a job wrote."""

    event: str
    unit: str
    path: str
    """Within the job's `out`, or as the request names it."""
    total: Digits
    samples: int | None
    captures: tuple[Capture, ...]


class FoldAnswer(Answer, frozen=True):
    """One profile an event."""

    profiles: tuple[WrittenProfile, ...]


class CaptureFile(Message, frozen=True, kw_only=True):
    """A capture to read."""

    file: str
    """The name to show."""
    path: Artifact
    sha256: str | None = None
    event: str | None = None
    """What it counts, where it does not say so itself."""
    format: str | None = None
    """Where recognition is wrong."""
    labels: Sequence[str] = ()
    """Keys of labels that become frames below the thread."""


class FoldRequest(Request[FoldAnswer], frozen=True, kw_only=True, tag="fold"):
    """Fold captures into one profile an event; one that cannot be read is a problem."""

    captures: Sequence[CaptureFile]
    out: Output
    """Directory for the profiles, `0.json` and so on."""


class MergeAnswer(Answer, frozen=True):
    """The profile that others were merged into."""

    profile: WrittenProfile


class MergeRequest(Request[MergeAnswer], frozen=True, kw_only=True, tag="merge"):
    """Merge profiles of one event."""

    profiles: Sequence[Artifact]
    out: Output


class FoldedRequest(Request[Answer], frozen=True, kw_only=True, tag="folded"):
    """Write a profile as folded stacks, compressed where `out` ends in `.gz`."""

    profile: Artifact
    out: Output


class RecogniseAnswer(Answer, frozen=True):
    """The format of a file; None where it is not a capture."""

    format: str | None


class RecogniseRequest(Request[RecogniseAnswer], frozen=True, kw_only=True, tag="recognise"):
    """Name the format of a file."""

    path: Artifact


class CapturesAnswer(Answer, frozen=True):
    """What was weighed."""

    captures: int
    """How many were."""
    overdispersion: float | None
    """By how much more than counts of samples functions vary between them; None where too few
    captures or functions show it."""


class CapturePart(Message, frozen=True):
    """A single capture of a merged profile."""

    profile: Artifact
    exposure: float
    """Its weight relative to the others: captured seconds, or 1."""


class CapturesRequest(Request[CapturesAnswer], frozen=True, kw_only=True, tag="captures"):
    """Write what the single captures of a profile weigh on its nodes."""

    profile: Artifact
    captures: Sequence[CapturePart]
    out: Output
