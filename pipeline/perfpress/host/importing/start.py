"""Reads from a run's logs when it was measured."""

import re
from collections.abc import Iterable
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

from perfpress.base.problems import Problem
from perfpress.base.toml.words import shown_value
from perfpress.input.logs.formats import parser_of
from perfpress.input.logs.read import format_of, read_log
from perfpress.input.logs.readings import BEGAN

SINCE_1970 = re.compile(r"\d{9,19}(?:\.\d+)?", re.ASCII)
THOUSANDTHS = (1e11, 1e14, 1e17)
"""From these on, a time since 1970 is in ms, µs and ns; in s they are after the year 5000."""


class Start(NamedTuple):
    """When a run began, as its logs have it."""

    moment: datetime | None
    """The earliest; None where no log has a date with its offset from UTC."""
    problems: tuple[Problem, ...]


def start_of(directory: Path, logs: Iterable[str], source: str) -> Start:
    """Return when a run began. A date without an offset from UTC is no moment."""
    dates = {name: date for name in sorted(set(logs)) if (date := _date(directory / name))}
    moments = {name: _moment(date) for name, date in dates.items()}
    known = [moment for moment in moments.values() if moment]
    if known or not dates:
        return Start(min(known, default=None), ())
    name, date = next(iter(dates.items()))
    problem = Problem(
        path=f"{source}/{name.removesuffix('.gz')}",
        found=f"the date {shown_value(date)} has no time zone, so the run has no start",
        expected="a date with its offset from UTC",
        do="add started = … with an offset to its [[directory]] in the map",
        severity="warning",
    )
    return Start(None, (problem,))


def _date(path: Path) -> str:
    name = format_of(path)
    parser = parser_of(name) if name else None
    if parser is None or not parser.has_start:
        return ""
    return dict(read_log(path, path.name).facts).get(BEGAN, "")


def _moment(date: str) -> datetime | None:
    try:
        if SINCE_1970.fullmatch(date):
            seconds = float(date)
            moment = datetime.fromtimestamp(
                seconds / 1000 ** sum(seconds >= each for each in THOUSANDTHS), UTC
            )
        else:
            moment = datetime.fromisoformat(date)
    except (ValueError, OverflowError):
        return None
    return moment.replace(microsecond=0) if moment.tzinfo else None
