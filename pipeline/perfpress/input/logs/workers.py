"""Reads logs in worker processes, each log within a budget of time and memory."""

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import msgspec

from perfpress.base.limits import budget_of_file
from perfpress.base.workers import Fork, WorkerAnswer, answering, failures, run_requests
from perfpress.input.logs.read import DescriptionFile, read_log
from perfpress.input.logs.readings import LogReading


@dataclass(frozen=True)
class LogFile:
    """A log, and how it is to be read."""

    path: Path
    shown_as: str
    """Its name in problems and on pages."""
    format_hint: str | DescriptionFile | None = None
    """The name of a parser, where recognition is wrong; or a description, where there is none."""


def read_each(logs: Sequence[LogFile], processes: int = 1) -> list[LogReading]:
    """Return a reading for each log; one that exceeds its budget has a problem, no numbers."""
    requests = [
        {
            "path": os.fspath(log.path),
            "shown_as": log.shown_as,
            "format_hint": msgspec.to_builtins(log.format_hint, enc_hook=os.fspath),
        }
        for log in logs
    ]
    budgets = [budget_of_file(log.path) for log in logs]
    answers = run_requests(Fork(answering(_read)), requests, processes, budgets)
    return [_reading(log, answer) for log, answer in zip(logs, answers, strict=True)]


def _reading(log: LogFile, answer: WorkerAnswer) -> LogReading:
    if answer["ok"]:
        return msgspec.convert(answer["result"], LogReading)
    problems = tuple(failures(answer, log.shown_as, "reading it"))
    return LogReading(format="", file=log.shown_as, problems=problems)


def _read(request: WorkerAnswer) -> LogReading:
    hint = request["format_hint"]
    if isinstance(hint, dict):
        hint = DescriptionFile(Path(hint["path"]), hint["shown_as"])
    return read_log(Path(request["path"]), request["shown_as"], hint)
