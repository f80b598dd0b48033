"""The title of a report, which its pages show without being made again when it changes.

What a report's pages are made from has a mark in the place of its title. The mark is replaced in
what reports leave for pages of the whole site, and by Hugo in the data of pages:
`layouts/_partials/page-data.html`.
"""

from dataclasses import replace
from typing import TypeVar

import msgspec

from perfpress.analysis.study.study import Study

MARK = "\ue000"
"""A character for private use: no name that is shown has it."""

S = TypeVar("S", bound=msgspec.Struct)


def untitled(study: Study) -> Study:
    """Return a study whose report has the mark for a title."""
    return replace(study, report=replace(study.report, title=MARK))


def titled(value: S, title: str) -> S:
    """Return a value with the title of its report in the place of the mark."""
    encoded = msgspec.json.encode(value)
    mark, shown = (msgspec.json.encode(text)[1:-1] for text in (MARK, title))
    if mark not in encoded:
        return value
    return msgspec.json.decode(encoded.replace(mark, shown), type=type(value))
