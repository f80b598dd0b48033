"""Reads what sysbench prints: 0.4, 0.5, 1.0 and 1.1, interval lines included.

An operation is an event, which the SQL tests call a transaction. Rates are stated over the time
after the warm-up.
"""

import re
from collections.abc import Iterable

from pipeline.logs.parser import Notes, Parser, excerpt, recognise_by
from pipeline.problems import Problem
from pipeline.readings import LogReading

SIGNATURE = re.compile(
    r"sysbench \d|Running the test with following options:|(?:SQL|OLTP test) statistics:"
    r"|\[\s*\d+s ?\] (?:thds|threads): "
)

# [ 5s ] thds: 16 tps: 54.59 qps: 327.56 (r/w/o: 0.00/218.37/109.19) lat (ms,95%): 530.08 \
#   err/s: 0.00 reconn/s: 0.00
# [   5s] threads: 16, tps: 54.60, reads: 0.00, writes: 218.40, response time: 530.08ms (95%), \
#   errors: 0.00, reconnects:  0.00                                                     0.5
INTERVAL = re.compile(r"\[\s*(\d+)s ?\] (?:thds|threads): \d+,? (.*)")
IN_INTERVAL: tuple[tuple[str, re.Pattern[str]], ...] = (
    ("throughput", re.compile(r"\b[te]ps: (\d+\.\d+)")),
    ("queries_per_second", re.compile(r"\bqps: (\d+\.\d+)")),
    ("failed_per_second", re.compile(r"\b(?:err/s|errors): +(\d+\.\d+)")),
    ("reconnects_per_second", re.compile(r"\b(?:reconn/s|reconnects): +(\d+\.\d+)")),
)
INTERVAL_LATENCY = re.compile(r"\blat \(ms,(\d+)%\): (\d+\.\d+)")
INTERVAL_LATENCY_05 = re.compile(r"\bresponse time: (\d+\.\d+)ms \((\d+)%\)")

COUNT_AND_RATE = r"\s+(\d+)\s+\((\d+\.\d+) per sec\.\)$"
#     transactions:                        6563   (54.60 per sec.)
TRANSACTIONS = re.compile(r"\s+transactions:" + COUNT_AND_RATE)
COUNTED: tuple[tuple[tuple[str, ...], re.Pattern[str]], ...] = (
    (("operations", "throughput"), TRANSACTIONS),
    #     queries:                             39378  (327.59 per sec.)          from 1.0 on
    #     read/write requests:                 1206288 (20102.96 per sec.)       before
    (
        ("queries", "queries_per_second"),
        re.compile(r"\s+(?:queries|read/write requests):" + COUNT_AND_RATE),
    ),
    #     ignored errors:                      1      (0.01 per sec.)            from 0.5 on
    #     deadlocks:                           0      (0.00 per sec.)            before
    (("failed_operations",), re.compile(r"\s+(?:ignored errors|deadlocks):" + COUNT_AND_RATE)),
    #     reconnects:                          0      (0.00 per sec.)
    (("reconnects",), re.compile(r"\s+reconnects:" + COUNT_AND_RATE)),
)
"""The metric of the count, that of the rate where it is kept, and the line."""

#     events/s (eps):                      889728.1195        1.1
#     events per second:  1093.31                             1.0, cpu test
EVENTS_PER_SECOND = re.compile(r"\s+(?:events/s \(eps\)|events per second):\s+(\d+\.\d+)$")
SINGLE: tuple[tuple[str, re.Pattern[str]], ...] = (
    #     total time:                          120.2017s
    #     time elapsed:                        630.0039s          1.1
    ("seconds", re.compile(r"\s+(?:total time|time elapsed):\s+(\d+\.\d+)s$")),
    #     total number of events:              6563
    ("operations", re.compile(r"\s+total number of events:\s+(\d+)$")),
    ("throughput", EVENTS_PER_SECOND),
    #          min:                                   66.37       ms; 0.5 writes 66.37ms
    ("latency_minimum", re.compile(r"\s+min:\s+(\d+\.\d+)(?:ms)?$")),
    ("latency_average", re.compile(r"\s+avg:\s+(\d+\.\d+)(?:ms)?$")),
    ("latency_maximum", re.compile(r"\s+max:\s+(\d+\.\d+)(?:ms)?$")),
)
#          95th percentile:                      530.08
#          approx.  95 percentile:              25.09ms
PERCENTILE = re.compile(
    r"\s+(?:approx\.\s+)?(\d+)(?:st|nd|rd|th)? percentile:\s+(\d+\.\d+)(?:ms)?$"
)

# Number of threads: 40
FACT = re.compile(r"(Number of threads|Warmup time|Target transaction rate): (.*)")
VERSION = re.compile(r"sysbench (\d\S*)")

# FATAL: mysql_drv_query() returned error 1213 (Deadlock found …) for query '…'
FAILURE = re.compile(r"(?:FATAL|ALERT|ERROR|PANIC): ")

BEGINS = "Running the test with following options:"

HEADING = re.compile(
    r"$|\s+queries performed:$|(?:SQL|OLTP test|General) statistics:$|Test execution summary:$"
    r"|Throughput:$|Latency \(ms\):$|\s+(?:response time|per-request statistics):$"
    r"|Threads fairness:$|Threads started!|Running the test"
    r"|Initializing|Warming up|\d+ CPUs$"
)
# Left out on purpose, each under the reason that the reader is told.
LEFT_OUT: tuple[tuple[str, re.Pattern[str]], ...] = (
    ("heading", HEADING),
    #         read:                            0
    ("queries by kind", re.compile(r"\s+(?:read|write|other|total):\s+\d+$|\s+other operations:")),
    #          sum:                              1922587.72
    #     events (avg/stddev):           410.1875/4.69
    (
        "sums and fairness of threads",
        re.compile(r"\s+sum:|\s+total time taken|\s+(?:events|execution time) \(avg/stddev\):"),
    ),
)


def parse(lines: Iterable[str], file: str) -> LogReading:
    """Return what sysbench printed, of the first whole run where there are several."""
    notes = Notes("sysbench", file)
    has_begun = is_over = False
    for number, line in enumerate(lines, start=1):
        if not is_over and "seconds" in notes.metrics and _is_of_a_run(line):
            is_over = True
            _complain_of_another_run(notes, "the first one is read", number)
        if is_over:
            notes.skip("line of a later run", number)
            continue
        if line.startswith(BEGINS):
            if has_begun:
                notes.begin_again(number)
                _complain_of_another_run(notes, "the one before it broke off", number)
            has_begun = True
        if interval := INTERVAL.match(line):
            _read_interval(notes, float(interval[1]), interval[2], number)
        elif not _read_summary(notes, line, number) and not _read_other(notes, line, number):
            _leave_out(notes, line, number)
    _check_whole(notes)
    return notes.reading()


def _is_of_a_run(line: str) -> bool:
    """Tell whether a line never comes after the time that a run took, unless of another run."""
    rates = (TRANSACTIONS, EVENTS_PER_SECOND, INTERVAL)
    return line.startswith(BEGINS) or any(pattern.match(line) for pattern in rates)


def _complain_of_another_run(notes: Notes, which: str, line: int) -> None:
    notes.complain(
        Problem(
            path=notes.file,
            line=line,
            found=f"another run begins; {which}",
            expected="one run a log",
            do="keep the output of each in a file of its own",
        )
    )


def _read_interval(notes: Notes, seconds: float, rest: str, line: int) -> None:
    for name, pattern in IN_INTERVAL:
        if found := pattern.search(rest):
            notes.sample(name, seconds, float(found[1]), line)
    if found := INTERVAL_LATENCY.search(rest):
        notes.sample(f"latency_p{found[1]}", seconds, float(found[2]), line)
    elif found := INTERVAL_LATENCY_05.search(rest):
        notes.sample(f"latency_p{found[2]}", seconds, float(found[1]), line)


def _read_summary(notes: Notes, line: str, number: int) -> bool:
    for names, pattern in COUNTED:
        if found := pattern.match(line):
            for name, value in zip(names, found.groups(), strict=False):
                notes.measure(name, float(value), number)
            return True
    for name, pattern in SINGLE:
        if found := pattern.match(line):
            if name == "throughput":
                # 1.1 states it a second time, as events/s, with more digits.
                notes.metrics.pop(name, None)
            notes.measure(name, float(found[1]), number)
            return True
    if percentile := PERCENTILE.match(line):
        notes.measure(f"latency_p{percentile[1]}", float(percentile[2]), number)
        return True
    return False


def _read_other(notes: Notes, line: str, number: int) -> bool:
    if version := VERSION.match(line):
        notes.facts.setdefault("sysbench", excerpt(version[1]))
    elif fact := FACT.match(line):
        notes.facts.setdefault(fact[1], excerpt(fact[2]))
    elif FAILURE.match(line):
        notes.complain_of(line, number)
    else:
        return False
    return True


def _leave_out(notes: Notes, line: str, number: int) -> None:
    for reason, pattern in LEFT_OUT:
        if pattern.match(line):
            notes.skip(reason, number)
            return
    notes.skip("line that is not sysbench's", number)


def _check_whole(notes: Notes) -> None:
    """Complain where sysbench did not come to its statistics, or did nothing."""
    throughput = notes.metrics.get("throughput")
    if throughput is None:
        notes.partial = True
        notes.complain(
            Problem(
                path=notes.file,
                found="no line 'transactions: …' or 'events/s': the log breaks off",
                expected="sysbench's statistics at the end",
                do="run the step again; the interval lines that are there are kept",
            ),
        )
    elif throughput.value == 0:
        notes.complain(
            Problem(
                path=notes.file,
                line=throughput.line,
                found="no operation was finished",
                expected="a throughput above 0",
                do="mend the cause and run the step again",
            ),
        )


PARSER = Parser("sysbench", recognise_by(SIGNATURE), parse)
