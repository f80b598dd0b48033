"""Reads what `time` prints: GNU time in its default layout, with `-v` and `-p`, and the shell's.

The numbers cover the timed command and the children that it waited for. Lab hosts most
often time the client that drives the benchmark, not the server, so they are never those of an
operation.
"""

import re
from collections.abc import Iterable

from perfpress.input.logs.parser import Notes, Parser, recognise_by
from perfpress.input.logs.readings import LogReading

# 0:00.10, 10:35.02, 1:02:03 (from one hour on, without the fraction)
CLOCK = r"(?:\d+:)?\d+:\d+(?:[.,]\d+)?"
DECIMAL = r"\d+[.,]\d+"

# 1103.43user 2655.22system 10:35.02elapsed 591%CPU (0avgtext+0avgdata 23744maxresident)k
TIMES = re.compile(
    rf"({DECIMAL})user ({DECIMAL})system ({CLOCK})elapsed (?:\d+|\?)%CPU"
    r" \(\d+avgtext\+\d+avgdata (\d+)maxresident\)k"
)
# 16inputs+328outputs (11major+5891minor)pagefaults 0swaps
FAULTS = re.compile(r"\d+inputs\+\d+outputs \((\d+)major\+(\d+)minor\)pagefaults \d+swaps")

VERBOSE = {
    "User time (seconds)": "command_user_seconds",
    "System time (seconds)": "command_system_seconds",
    "Elapsed (wall clock) time (h:mm:ss or m:ss)": "command_seconds",
    "Maximum resident set size (kbytes)": "command_memory",
    "Major (requiring I/O) page faults": "command_major_faults",
    "Minor (reclaiming a frame) page faults": "command_minor_faults",
    "Voluntary context switches": "command_voluntary_switches",
    "Involuntary context switches": "command_involuntary_switches",
}
"""By the label of `-v`."""
# 	Elapsed (wall clock) time (h:mm:ss or m:ss): 0:00.32
LABELLED = re.compile(rf"\s+([A-Z][A-Za-z/():; ]*?): ({CLOCK}|{DECIMAL}|\d+)$")
EXIT_STATUS = re.compile(r"\s+Exit status: (\d+)$")
OTHERS_OF_VERBOSE = re.compile(
    r"\s+(?:Command being timed|Percent of CPU this job got|Average |Swaps|File system |Socket "
    r"|Signals delivered|Page size|Exit status)"
)

SHELL = {
    "real": "command_seconds",
    "user": "command_user_seconds",
    "sys": "command_system_seconds",
}
# real	0m0.103s                bash, ksh
# real 0.10                     -p, everywhere
SHELL_TIME = re.compile(rf"(real|user|sys)\s+(?:(\d+)m)?({DECIMAL})s?$")

# Command exited with non-zero status 3
# Command terminated by signal 9
FAILED = re.compile(r"Command (?:exited with non-zero status|terminated by signal|stopped)")

SIGNATURE = re.compile(
    rf"{TIMES.pattern}|\s+User time \(seconds\): |real\s+(?:\d+m)?{DECIMAL}s?$|{FAILED.pattern}"
)


def parse(lines: Iterable[str], file: str) -> LogReading:
    """Return what `time` printed below the output of the command itself."""
    notes = Notes("time", file)
    for number, line in enumerate(lines, start=1):
        if found := TIMES.match(line):
            for name, text in zip((*SHELL_ORDER, "command_memory"), found.groups(), strict=True):
                notes.measure(name, _seconds(text), number)
        elif found := FAULTS.match(line):
            notes.measure("command_major_faults", float(found[1]), number)
            notes.measure("command_minor_faults", float(found[2]), number)
        elif found := SHELL_TIME.match(line):
            seconds = 60 * float(found[2] or 0) + _seconds(found[3])
            notes.measure(SHELL[found[1]], seconds, number)
        elif FAILED.match(line) or ((status := EXIT_STATUS.match(line)) and status[1] != "0"):
            notes.partial = True
            notes.complain_of(line.strip(), number)
        elif (found := LABELLED.match(line)) and found[1] in VERBOSE:
            notes.measure(VERBOSE[found[1]], _seconds(found[2]), number)
        elif OTHERS_OF_VERBOSE.match(line):
            notes.skip("number of time -v that is of no use here", number)
        elif line.strip():
            notes.skip("line that is not time's", number)
    if "command_seconds" not in notes.metrics:
        notes.break_off(
            found="no line that says how long the command ran",
            expected="the output of time to its end",
            do="copy the file again, or run the step again",
        )
    return notes.reading()


SHELL_ORDER = ("command_user_seconds", "command_system_seconds", "command_seconds")
"""As the default layout of GNU time has them."""


def _seconds(text: str) -> float:
    """Return the seconds that `1:02:03`, `0:00.10` or `2.5` mean; a plain count as it is."""
    total = 0.0
    for part in text.replace(",", ".").split(":"):
        total = 60 * total + float(part)
    return total


PARSER = Parser("time", recognise_by(SIGNATURE), parse)
