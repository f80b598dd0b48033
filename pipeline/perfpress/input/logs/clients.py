"""Finds the number of clients that a log states."""

from perfpress.input.logs.readings import LogReading

FACTS = ("number of clients", "clients", "virtual users", "number of threads")
"""Facts that state it, in lower case, the closest first: pgbench has clients and threads."""


def clients_stated(reading: LogReading) -> int | None:
    """Return the number of clients of the run that a log is of; `None` where it does not say."""
    facts = {name.lower(): value for name, value in reading.facts}
    text = next((facts[name] for name in FACTS if name in facts), "")
    return int(text) if text.isdecimal() and 0 < int(text) < 10**9 else None
