"""Reads the log of HammerDB's TPROC-C. An operation is a new order: NOPM compares databases.

A log with several results (autopilot, a loop over virtual users) has a benchmark for each number
of virtual users: `16 virtual users`.
"""

import re
from collections.abc import Iterable

from perfpress.input.logs.json_results import complain_of_second
from perfpress.input.logs.parser import Measures, Notes, Parser, recognise_by
from perfpress.input.logs.readings import LogReading, Metric

# Vuser 1:TEST RESULT : System achieved 50000 NOPM from 115000 MySQL TPM         4.x, 5.x
# Vuser 1:TEST RESULT : System achieved 115000 PostgreSQL TPM at 50000 NOPM      before 4.0
RESULT = re.compile(
    r".*TEST RESULT : System achieved (?:(?P<orders>\d+) NOPM from (?P<all>\d+) .*TPM"
    r"|(?P<old_all>\d+) .*TPM at (?P<old_orders>\d+) NOPM)"
)
USERS = re.compile(r".*?(?P<users>\d+) Active Virtual Users configured")
# Vuser 1:Timing test period of 5 in minutes
MINUTES = re.compile(r".*Timing test period of (?P<minutes>\d+) in minutes")
VERSION = re.compile(r"HammerDB (?:CLI )?v(\S+)")
DATABASE = re.compile(r".*Database set to (\S+)")
# Vuser 3:FINISHED FAILED        Error in Virtual User 3: MySQL Error …
FAILED = re.compile(r"Vuser (\d+):FINISHED FAILED|Error in Virtual User (\d+):")
BEGINS = re.compile(r"Vuser \d+:Beginning rampup|.*Timing test period of ")
SIGNATURE = re.compile(
    rf"{VERSION.pattern}|{RESULT.pattern}|Vuser \d+:(?:RUNNING|Beginning rampup|Rampup )"
)


def parse(lines: Iterable[str], file: str) -> LogReading:
    """Return the result of each test, of one whose end is there."""
    notes = Notes("hammerdb", file)
    results: list[tuple[int, str, re.Match[str], float, set[str]]] = []
    users, minutes, failed = "", 0.0, set[str]()
    begun = 0
    for number, line in enumerate(lines, start=1):
        if found := RESULT.match(line):
            results.append((number, users, found, minutes, failed))
            users, minutes, failed, begun = "", 0.0, set(), 0
        elif found := USERS.match(line):
            users = found["users"]
        elif found := FAILED.match(line):
            failed.add(found[1] or found[2])
            notes.complain_of(line, number)
        elif found := VERSION.match(line):
            notes.facts.setdefault("HammerDB", found[1])
        elif found := DATABASE.match(line):
            notes.facts.setdefault("database", found[1])
        else:
            if found := MINUTES.match(line):
                minutes = float(found["minutes"])
            if BEGINS.match(line):
                begun = begun or number
            notes.skip("progress", number)
    if begun or not results:
        _complain_of_end(notes, begun)
        notes.partial = not results
    for number, users, found, minutes, failed in results:
        name = f"{users} virtual users" if users else ""
        if name in notes.benchmarks or (len(results) > 1 and not name):
            complain_of_second(notes, name or "a test", number)
            continue
        own = notes.benchmark(name, number) if len(results) > 1 else notes
        _note(own, found, number, minutes)
        if users and len(results) == 1:
            notes.facts["virtual users"] = users
        if failed:
            own.measure("aborted_clients", len(failed), number)
    return notes.reading()


def _note(own: Measures, found: re.Match[str], line: int, minutes: float) -> None:
    # Of thousands of digits, a damaged log has no whole number.
    orders = float(found["orders"] or found["old_orders"])
    total = float(found["all"] or found["old_all"])
    own.measure("throughput", orders / 60, line, f"{orders:.0f} new orders a minute (NOPM)")
    per_minute = Metric(
        name="database_transactions_per_minute",
        value=total,
        unit="transactions/min",
        better=None,
        line=line,
        note="TPM, as the database counts them; no two databases count alike",
    )
    own.measure_own(per_minute)
    if minutes:
        own.measure("seconds", minutes * 60, line)


def _complain_of_end(notes: Notes, line: int) -> None:
    notes.complain(
        line=line,
        found="a test without its result",
        expected="a line TEST RESULT : System achieved … NOPM from … TPM",
        do="run the step again, or copy the whole log",
    )


PARSER = Parser("hammerdb", recognise_by(SIGNATURE), parse)
