"""Says how far a stage of equal pieces of work is, and how long the rest will take."""

import time
from collections.abc import Callable

REPORT_EVERY = 5.0
"""Seconds: lines are kept where they are no line of a terminal."""


class Pace:
    """Of one stage, from its first piece on."""

    def __init__(self, progress: Callable[[str], None], stage: str) -> None:
        self._progress = progress
        self._stage = stage
        self._began = self._shown = time.monotonic()

    def show(self, done: int, wanted: int) -> None:
        """Show how many pieces are done, and how long the others will take if they are alike."""
        now = time.monotonic()
        if not 0 < done < wanted or now - self._shown < REPORT_EVERY:
            return
        self._shown = now
        left = (now - self._began) / done * (wanted - done)
        self._progress(f"{self._stage}: {done:,} of {wanted:,}, {time_left(left)} left")


def time_left(seconds: float) -> str:
    """Return an estimate, no finer than it deserves.

    >>> time_left(40), time_left(350), time_left(20_000)
    ('less than a minute', 'about 6 minutes', 'about 5.6 hours')
    """
    if seconds < 60:
        return "less than a minute"
    if seconds < 5400:
        minutes = round(seconds / 60)
        return f"about {minutes} minute{'s' if minutes > 1 else ''}"
    return f"about {seconds / 3600:.1f} hours"
