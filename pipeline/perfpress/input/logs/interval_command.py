"""Reads the command above a log, where someone kept it: `$ vmstat -w 5`, `+ iostat -kx 1 600`."""

import re
from typing import NamedTuple

COMMAND = re.compile(
    r"[#$+>%\s]{0,9}(?:/\S*/)?(vmstat|iostat)((?:\s+-{1,2}[A-Za-z][\w=-]*)*)\s+(\d{1,6})(?:\s+\d+)?\s*$",
    re.ASCII,
)


class IntervalCommand(NamedTuple):
    """The options of a vmstat or iostat command that affect its reports."""

    seconds: int
    """Between two of them."""
    omits_first: bool
    """With -y there is no report of the time since the host was started."""


def interval_command(line: str, tool: str) -> IntervalCommand | None:
    """Return the options in a line, if it is a command of the tool."""
    found = COMMAND.match(line)
    if found is None or found[1] != tool or int(found[3]) == 0:
        return None
    options = found[2].split()
    omits = any("y" in each for each in options if not each.startswith("--"))
    return IntervalCommand(int(found[3]), omits or "--no-first" in options)
