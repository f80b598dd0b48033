"""What of an archive is not imported."""

from dataclasses import dataclass


@dataclass(frozen=True)
class LeftOut:
    """A file, directory or line that is not imported, and why."""

    name: str
    reason: str
