"""Reads what pgbench prints (PostgreSQL 12 to 18), progress lines included.

An operation is a transaction. Where several scripts run, the numbers are those of all together.
"""

import re
from collections.abc import Iterable, Sequence
from math import isfinite

from perfpress.input.logs.parser import Notes, Parser, excerpt, recognise_by, why_skipped
from perfpress.input.logs.readings import LogReading

SIGNATURE = re.compile(
    r"pgbench \(\d|pgbench: (?:error|fatal): |transaction type: |progress: \S+ s, \S+ tps, lat "
)

# progress: 1.0 s, 5123.4 tps, lat 0.195 ms stddev 0.034
# progress: 2.0 s, 3473.8 tps, lat 0.443 ms stddev 0.400, 1372 failed, 2031 retried, 3683 retries
# progress: 1.0 s, 199.0 tps, lat 0.593 ms stddev 0.336, 0 failed, lag 0.124 ms, 0 skipped
PROGRESS = re.compile(r"progress: (\S+) s, (\S+) tps, lat (\S+) ms stddev ([^\s,]+)(.*)")
PROGRESS_FAILED = re.compile(r", (\d+) failed")

# With --progress-timestamp the seconds are those since 1970:
# progress: 1795271146.260 s, 40401.7 tps, lat 0.042 ms stddev 0.154, 0 failed
CLOCK_TIME = 1e9

NUMBER = r"(\d+(?:\.\d+)?)"

SUMMARY: tuple[tuple[str, re.Pattern[str]], ...] = (
    # number of transactions actually processed: 100065
    # number of transactions actually processed: 200/200
    ("operations", re.compile(r"number of transactions actually processed: (\d+)")),
    # number of failed transactions: 14336 (62.114%)
    ("failed_operations", re.compile(r"number of failed transactions: (\d+)")),
    # number of transactions retried: 6073 (45.617%)
    ("retried_operations", re.compile(r"number of transactions retried: (\d+)")),
    ("retries", re.compile(r"total number of retries: (\d+)")),
    ("skipped_operations", re.compile(r"number of transactions skipped: (\d+)")),
    # latency average = 0.361 ms
    # latency average = 5.789 ms (including failures)
    ("latency_average", re.compile(rf"latency average = {NUMBER} ms")),
    ("latency_stddev", re.compile(rf"latency stddev = {NUMBER} ms")),
    # initial connection time = 5.515 ms        from 14 on
    # average connection time = 2.744 ms        from 14 on, with --connect
    ("connection_time", re.compile(rf"(?:initial|average) connection time = {NUMBER} ms")),
    # tps = 85.296346 (excluding connections establishing)      12 and 13
    # tps = 25028.576574 (without initial connection time)      from 14 on
    # tps = 345.471705 (including reconnection times)           from 14 on, with --connect
    (
        "throughput",
        re.compile(
            rf"tps = {NUMBER} \((?:excluding connections establishing|"
            r"without initial connection time|including reconnection times)\)"
        ),
    ),
    # tps = 85.184871 (including connections establishing)      12 and 13
    (
        "throughput_with_connecting",
        re.compile(rf"tps = {NUMBER} \(including connections establishing\)"),
    ),
)

# scaling factor: 1        number of clients: 2        duration: 4 s
FACT = re.compile(
    r"(transaction type|scaling factor|query mode|number of clients|number of threads"
    r"|maximum number of tries|duration|number of transactions per client|SQL script \d+): (.*)"
)
VERSION = re.compile(r"pgbench \((.*)\)$")
VACUUM = "starting vacuum"

# Lines that never come after the summary, unless of another run.
BEGINS = re.compile(rf"pgbench \(|{VACUUM}|transaction type: |progress: \S+ s, ")

# pgbench: error: client 1 script 0 aborted in command 0 query 0: ERROR:  division by zero
# client 0 aborted in command 4 (SQL) of script 0; perhaps the backend died while processing
ABORTED = re.compile(r"(?:pgbench: \w+: )?client (\d+) .*\baborted in ")
# pgbench: error: Run was aborted; the above results are incomplete.
INCOMPLETE = re.compile(r"(?:pgbench: \w+: )?Run was aborted; the above results are incomplete")
# pgbench: fatal: connection to database "b" failed: FATAL:  sorry, too many clients already
FAILURE = re.compile(r"(?:pgbench: (?:error|fatal): |(?:\S+:)?\s*(?:FATAL|ERROR|PANIC): )")

# Left out on purpose, each under the reason that pages show.
LEFT_OUT: tuple[tuple[str, re.Pattern[str]], ...] = (
    # \t0.076           0  begin isolation level serializable;
    ("latency of a single statement", re.compile(r"\s+\d+\.\d+\s+.*\S")),
    #  - 269 transactions (42.4% of total, tps = 89.951182)
    ("number of a single script", re.compile(r" - ")),
    # number of serialization failures: 14336 (62.114%)
    # number of transactions above the 20.0 ms latency limit: 0/635 (0.000%)
    # rate limit schedule lag: avg 0.122 (max 0.618) ms
    (
        "detail of failures, latency limit or rate limit",
        re.compile(r"number of (?:\w+ failures|transactions above)|rate limit schedule lag"),
    ),
    (
        "heading",
        re.compile(r"statement latencies in milliseconds|script statistics:|starting vacuum|$"),
    ),
    # WARNING:  terminating connection due to immediate shutdown command
    ("message of the server", re.compile(r"(?:WARNING|NOTICE|INFO|HINT|DETAIL|CONTEXT): ")),
)


def parse(lines: Iterable[str], file: str) -> LogReading:
    """Return what pgbench printed, of the first whole run where there are several."""
    notes = Notes("pgbench", file)
    progress: list[tuple[int, re.Match[str]]] = []
    aborted: set[str] = set()
    is_over = False
    for number, line in enumerate(lines, start=1):
        if not is_over and "throughput" in notes.metrics and BEGINS.match(line):
            is_over = True
            notes.complain_of_another_run("the first one is read", number)
        if is_over:
            notes.skip("line of a later run", number)
            continue
        if _begins_again(notes, line, progress):
            notes.begin_again(number)
            progress, aborted = [], set()
            notes.complain_of_another_run("the one before it broke off", number)
        if found := PROGRESS.match(line):
            progress.append((number, found))
        elif not _read_summary(notes, line, number) and not _read_failure(
            notes, line, number, aborted
        ):
            notes.skip(why_skipped(LEFT_OUT, line) or "line that is not pgbench's", number)
    _read_progress(notes, progress)
    if aborted:
        notes.measure("aborted_clients", len(aborted), 0)
    _check_whole(notes)
    return notes.reading()


def _begins_again(notes: Notes, line: str, progress: Sequence[tuple[int, re.Match[str]]]) -> bool:
    """Return whether a line belongs to another run than the progress lines before it."""
    if not progress and not notes.metrics:
        return False
    if found := PROGRESS.match(line):
        before = _number(progress[-1][1][1]) if progress else None
        now = _number(found[1])
        return before is not None and now is not None and now < before
    return VERSION.match(line) is not None or line.startswith(VACUUM)


def _read_progress(notes: Notes, progress: Sequence[tuple[int, re.Match[str]]]) -> None:
    clock = [seconds for _, found in progress if (seconds := _number(found[1])) is not None]
    start = 0.0
    if clock and clock[0] >= CLOCK_TIME:
        # The first interval is taken to be as long as the second.
        start = 2 * clock[0] - clock[1] if len(clock) > 1 else clock[0]
        notes.begin(start)
    for line, found in progress:
        seconds, tps, average, stddev = map(_number, found.groups()[:4])
        if seconds is None or tps is None:
            notes.skip("progress line that is cut or garbled", line)
            continue
        after = seconds - start
        notes.sample("throughput", after, tps, line)
        # Where no transaction ended in the interval, pgbench prints -nan or 0.000 for its latency.
        if tps > 0 and average is not None and stddev is not None:
            notes.sample("latency_average", after, average, line)
            notes.sample("latency_stddev", after, stddev, line)
        if failed := PROGRESS_FAILED.match(found[5]):
            notes.sample("failed_operations", after, float(failed[1]), line)


def _read_summary(notes: Notes, line: str, number: int) -> bool:
    for name, pattern in SUMMARY:
        if found := pattern.match(line):
            notes.measure(name, float(found[1]), number)
            return True
    if fact := FACT.match(line):
        notes.facts.setdefault(fact[1], excerpt(fact[2]))
        return True
    if version := VERSION.match(line):
        notes.facts.setdefault("pgbench", excerpt(version[1]))
        return True
    return False


def _read_failure(notes: Notes, line: str, number: int, aborted: set[str]) -> bool:
    if INCOMPLETE.match(line):
        notes.partial = True
        return True
    client = ABORTED.match(line)
    if client:
        aborted.add(client[1])
    elif not FAILURE.match(line):
        return False
    notes.complain_of(line, number)
    return True


def _check_whole(notes: Notes) -> None:
    """Report a missing summary, and one that pgbench itself marks as incomplete."""
    if "throughput" not in notes.metrics:
        notes.break_off(
            found="no line 'tps = …': the log breaks off, or no transaction was finished",
            expected="pgbench's summary at the end",
            do="run the step again; the progress lines that are there are kept",
        )
    elif notes.partial:
        notes.complain(
            found="pgbench says that the run was aborted and its results are incomplete",
            expected="a run to the end",
            do="run the step again",
        )


def _number(text: str) -> float | None:
    try:
        value = float(text)
    except ValueError:
        return None
    return value if isfinite(value) else None


PARSER = Parser("pgbench", recognise_by(SIGNATURE), parse, has_start=True)
