"""Reads from a run's logs when it was measured."""

from collections.abc import Iterable
from datetime import datetime
from pathlib import Path
from typing import NamedTuple

from perfpress.base.problems import Problem
from perfpress.base.toml.words import shown_value
from perfpress.input.logs.read import format_of, read_log

DATES = {"google-benchmark": "date", "pyperf": "date", "pytest-benchmark": "datetime"}
"""By format: the fact that is the date. asv's is the date of the commit."""


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
    key = DATES.get(format_of(path) or "")
    return dict(read_log(path, path.name).facts).get(key, "") if key else ""


def _moment(date: str) -> datetime | None:
    try:
        moment = datetime.fromisoformat(date)
    except ValueError:
        return None
    return moment.replace(microsecond=0) if moment.tzinfo else None
