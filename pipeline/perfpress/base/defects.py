"""Keeps a defect of Perfpress to the part that it is met in: one report, one host, one bundle."""

import traceback
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from perfpress.base.problems import REPORT_IT, BadInput, Problem

Made = TypeVar("Made")

NOT_OF_ONE_PART = (BadInput, OSError, MemoryError)
"""What keeps the others from being made, too."""
LONGEST_ERROR = 500


def attempt(make: Callable[[], Made], path: str, lost: str, problems: list[Problem]) -> Made | None:
    """Return what one part is; `None` where a defect stops it, which becomes a problem.

    Args:
        make: makes the part.
        path: of the part, in messages.
        lost: what there is not, then: `the site lacks the report`.
        problems: to which the defect is added.

    Raises:
        BadInput, OSError, MemoryError: it is no defect of this part.
    """
    try:
        return make()
    except NOT_OF_ONE_PART:
        raise
    except Exception as error:
        problems.append(defect(error, path, lost))
        return None


def defect(error: Exception, path: str, lost: str) -> Problem:
    """Return the problem of an error that should not be: where it was raised, and what it costs."""
    *_, place = traceback.extract_tb(error.__traceback__)
    where = f"in line {place.lineno} of {Path(place.filename).name}"
    return Problem(path=path, found=f"{lost}: {ascii(error)[:LONGEST_ERROR]} {where}", do=REPORT_IT)
