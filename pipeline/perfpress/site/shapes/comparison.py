"""The shape of the answer of `perfpress compare`, from which each of its formats is written."""

import msgspec

from perfpress.analysis.verdicts.states import Tone
from perfpress.site.shapes.blocks import Table


class AnswerSentence(msgspec.Struct, frozen=True):
    """The answer in one sentence."""

    text: str
    tone: Tone = ""
    mark: str = ""
    """Of the verdict, so that colour is never alone; empty where there is no single one."""


class ProfileChanges(msgspec.Struct, frozen=True, kw_only=True):
    """What changed in the profiles of one step."""

    heading: str
    """Empty where the headline is about it."""
    sentences: tuple[str, ...]
    """How much could be matched, and what the numbers are of."""
    table: Table | None
    """The functions that changed, and what their changes add up to."""
    drawing: str
    """Path of the diff as an SVG; empty where it was not drawn."""
    notes: tuple[str, ...]
    """What noise is known from, and what else is known of the profiles."""


class ComparisonPage(msgspec.Struct, frozen=True, kw_only=True):
    """The answer, the most important first."""

    title: str
    """What was compared."""
    answer: AnswerSentence
    sentences: tuple[str, ...]
    """What it rests on, and what that means."""
    rates: Table | None
    changes: tuple[ProfileChanges, ...]
    notes: tuple[str, ...]
    """What could not be compared."""
