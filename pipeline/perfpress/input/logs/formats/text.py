"""Takes the output of a command that says nothing of how fast it was.

No content tells it apart: `[step.formats]` names it, and `perfpress capture` does so where it timed
the command itself. The file is published; no number comes from it.
"""

from collections.abc import Iterable

from perfpress.input.logs.parser import Parser
from perfpress.input.logs.readings import LogReading


def parse(_: Iterable[str], file: str) -> LogReading:
    """Return a reading without numbers."""
    return LogReading(format="text", file=file)


PARSER = Parser("text", lambda _: "no", parse)
