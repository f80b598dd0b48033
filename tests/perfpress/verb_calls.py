"""Calls of the command line: arguments in; output, files and status out."""

import os
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

GOLDEN = Path(__file__).parent / "cli" / "golden"


class Answer(NamedTuple):
    """What a call of perfpress printed, and its exit status."""

    status: int
    out: str
    err: str


Perfpress = Callable[..., Answer]


def golden(name: str, actual: str) -> None:
    """Compare with a file of `cli/golden`; PERFPRESS_BLESS=1 rewrites it."""
    path = GOLDEN / name
    if os.environ.get("PERFPRESS_BLESS"):
        path.parent.mkdir(exist_ok=True)
        path.write_text(actual)
    assert path.read_text() == actual


def results() -> Path:
    return Path("data/results")
