"""Reads what `perf stat` prints: as text, with `-x` and with `-j`, of the whole time or with `-I`.

The heading names the scope of what perf counted: a process, a command or the whole host.
Counts of events that shared a counter are those that perf scaled to the whole time; the note says
so. Only text says how long perf counted in total; with `-x` the log holds no time but that of
intervals.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import NamedTuple

import msgspec

from perfpress.input.logs.parser import Notes, Parser, excerpt, recognise_by
from perfpress.input.logs.readings import LogReading, Metric

#  Performance counter stats for 'system wide':
#  Performance counter stats for process id '4711':
HEADING = re.compile(r" Performance counter stats for (.*):$")
# #           time             counts unit events
INTERVAL_HEADING = re.compile(r"#\s+time\s.*\scounts unit events$")
# # started on Sat Nov 21 20:36:17 2026        -o, --append
STARTED = re.compile(r"# started on ")
#        0.202290373 seconds time elapsed
#           0.053650 +- 0.000939 seconds time elapsed  ( +-  1.75% )
ELAPSED = re.compile(r"\s+(\d+[.,]\d+) (?:\+- \S+ )?seconds time elapsed")
#        0.002252000 seconds user
OF_COMMAND = re.compile(r"\s+\d+[.,]\d+ (?:\+- \S+ )?seconds (?:user|sys)")

NOT = r"<not supported>|<not counted>"
# With thousands as the locale parts them: 1,034,524 or 1.034.524 or 1 034 524
COUNT = rf"{NOT}|\d[\d.,'\u00a0\u202f]*"
# CPU0 · S0 24 · S0-D0-C1 2 · N0 48: -A, --per-socket … with the CPUs that are added up in a line
PART = r"CPU\d+|[SDN]\d+(?:-[A-Z]+\d+)*\s+\d+"
#      0.200393688             404.35 msec cpu-clock                        #    2.022 CPUs utilized
#    <not supported>      cycles
#        1,234,567,890      cycles                    #    3.1 GHz                      (66.67%)
ROW = re.compile(
    rf"\s+(?:(\d+\.\d{{9}})\s+)?(?:(?:{PART})\s+)?({COUNT})\s+(?:(msec|[A-Z]\w*|ns)\s+)?"
    r"([A-Za-z]\S*)(?:\s|$)(.*)"
)
PART_FIRST = re.compile(rf"(?:{PART})\s")
SHARED = re.compile(r"\((\d+[.,]\d+)%\)\s*$")

# 1.03,msec,task-clock,1034524,100.00,0.005,CPUs utilized
#      0.200596569,<not supported>,,cycles,0,100.00,,
# CPU0,104.77,msec,cpu-clock,104770000,100.00,1.000,CPUs utilized
SEPARATED = re.compile(
    rf"\s*(?:(?P<time>\d+\.\d{{9}})[,;|\t])?(?:(?:CPU\d+|[SDN]\d[\w-]*[,;|\t]\d+)[,;|\t])?"
    rf"(?P<count>{NOT}|\d+(?:[.,]\d+)?)(?P<sep>[,;|\t])(?P<unit>[A-Za-z]*)(?P=sep)"
    r"(?P<event>[A-Za-z][^,;|\s]*)(?P=sep)\d+(?P=sep)(?P<share>\d+[.,]\d+)"
)

# {"interval" : 0.109280542, "counter-value" : "0.706501", "unit" : "msec", "event" : …
JSON_LINE = re.compile(r'\{"(?:[\w-]+" : [^{}]*, ")?counter-value" : "')

SIGNATURE = re.compile(
    f"{JSON_LINE.pattern}|{HEADING.pattern}|{INTERVAL_HEADING.pattern}|{SEPARATED.pattern}"
)

CLOCKS = ("task-clock", "cpu-clock")
"""Events that perf counts in ms of CPU time."""
NAMED = {"cycles": "counted_cycles", "instructions": "counted_instructions"}
PRIVILEGE = re.compile(r":[ukhGHpP]+$")
WHOLE = 100.0
LONGEST_EVENT = 100
"""Characters of an event's name."""


class Count(NamedTuple):
    """One line of a count."""

    event: str
    unit: str
    value: float | None
    """None where perf did not count it."""
    seconds: float | None
    """The end of the interval, with -I."""
    share: float
    """Percent of the time in which the event had a counter."""
    line: int


@dataclass
class Total:
    """An event over all lines: intervals, CPUs."""

    unit: str
    line: int
    value: float = 0.0
    share: float = WHOLE
    lines: int = 0
    missed: int = 0
    """Lines without a count."""
    ends: set[float] = field(default_factory=set)
    """Of all intervals, those without a count too."""
    series: dict[float, float] = field(default_factory=dict)
    """By the end of the interval."""


def parse(lines: Iterable[str], file: str) -> LogReading:
    """Return what was counted in all, and with -I per second of each interval."""
    notes = Notes("perf-stat", file)
    totals: dict[str, Total] = {}
    is_over = False
    for number, line in enumerate(lines, start=1):
        if heading := HEADING.match(line):
            is_over = is_over or "counted" in notes.facts
            if not is_over:
                notes.facts["counted"] = excerpt(heading[1])
            else:
                _complain(notes, number, "another perf stat begins; the first is read", "")
        elif is_over:
            notes.skip("line of a later perf stat", number)
        elif elapsed := ELAPSED.match(line):
            notes.measure("counted_seconds", _decimal(elapsed[1]), number)
        elif OF_COMMAND.match(line):
            notes.skip("CPU time of the command that perf ran", number)
        elif count := _count(line, number):
            _add(totals, count)
        elif line.strip() and not INTERVAL_HEADING.match(line) and not STARTED.match(line):
            notes.skip("line that is not a count of perf", number)
    _note_totals(notes, totals)
    if not any(total.missed < total.lines for total in totals.values()):
        notes.partial = True
        _complain(notes, 0, "nothing that perf counted", "see whether perf may use the counters")
    return notes.reading()


class JsonCount(msgspec.Struct, frozen=True, rename="kebab"):
    """A line of `-j`."""

    counter_value: str
    event: str
    unit: str = ""
    interval: float | None = None
    pcnt_running: float = WHOLE


def _json_count(line: str, number: int) -> Count | None:
    try:
        found = msgspec.json.decode(line, type=JsonCount)
        value = None if found.counter_value.startswith("<") else _decimal(found.counter_value)
    except ValueError:
        return None
    return Count(found.event, found.unit, value, found.interval, found.pcnt_running, number)


def _count(line: str, number: int) -> Count | None:
    if JSON_LINE.match(line):
        return _json_count(line, number)
    if found := SEPARATED.match(line):
        end = float(found["time"]) if found["time"] else None
        share = _decimal(found["share"])
        value = None if found["count"].startswith("<") else _decimal(found["count"])
        return Count(found["event"], found["unit"], value, end, share, number)
    # -A without -I puts the CPU at the start of the line.
    row = ROW.match(f" {line}" if PART_FIRST.match(line) else line)
    if row is None:
        return None
    end = float(row[1]) if row[1] else None
    shared = SHARED.search(row[5])
    value = None if row[2].startswith("<") else _number(row[2])
    share = _decimal(shared[1]) if shared else WHOLE
    return Count(row[4], row[3] or "", value, end, share, number)


def _decimal(text: str) -> float:
    return float(text.replace(",", "."))


def _number(text: str) -> float:
    """Return a number that perf wrote for people: thousands separated, two decimals or none."""
    digits = re.sub(r"\D", "", text)
    return float(digits) / 100 if re.search(r"[.,]\d\d$", text) else float(digits)


def _add(totals: dict[str, Total], count: Count) -> None:
    name = excerpt(count.event, LONGEST_EVENT)
    total = totals.setdefault(name, Total(count.unit, count.line))
    total.lines += 1
    if count.seconds is not None:
        total.ends.add(count.seconds)
    if count.value is None:
        total.missed += 1
        return
    total.value += count.value
    total.share = min(total.share, count.share)
    if count.seconds is not None:
        total.series[count.seconds] = total.series.get(count.seconds, 0.0) + count.value


def _note_totals(notes: Notes, totals: dict[str, Total]) -> None:
    ends = {end for total in totals.values() for end in total.ends}
    if ends and "counted_seconds" not in notes.metrics:
        notes.measure("counted_seconds", max(ends), 0)
    for event, total in totals.items():
        if total.missed == total.lines:
            notes.skip("event that perf could not count", total.line)
            continue
        note = _note(total)
        base = PRIVILEGE.sub("", event)
        if base in CLOCKS:
            notes.measure("counted_cpu_time", total.value, total.line, note)
        elif not total.unit:
            notes.measure(NAMED.get(event, f"counted {event}"), total.value, total.line, note)
            _note_series(notes, f"rate of {event}", total)
        else:
            own = Metric(name=event, value=total.value, unit=total.unit, line=total.line, note=note)
            notes.measure_own(own)
    _note_instructions_per_cycle(notes, totals)


def _note(total: Total) -> str:
    notes = []
    if total.share < WHOLE:
        notes.append(f"counted {total.share:g} % of the time, and scaled by perf to all of it")
    if total.missed:
        notes.append(f"not counted in {total.missed} of {total.lines} intervals")
    return "; ".join(notes)


def _note_series(notes: Notes, name: str, total: Total) -> None:
    before = 0.0
    for end in sorted(total.ends):
        if end in total.series and end > before:
            notes.sample(name, end, total.series[end] / (end - before), total.line)
        before = end


def _note_instructions_per_cycle(notes: Notes, totals: dict[str, Total]) -> None:
    for cycles, total in totals.items():
        instructions = totals.get(cycles.replace("cycles", "instructions", 1))
        if not cycles.startswith("cycles") or not instructions or total.value <= 0:
            continue
        if total.missed == instructions.missed < total.lines:
            value = instructions.value / total.value
            note = "instructions \N{DIVISION SIGN} cycles"
            notes.measure("instructions_per_cycle", value, instructions.line, note)
            return


def _complain(notes: Notes, line: int, found: str, do: str) -> None:
    notes.complain(
        line=line,
        found=found,
        expected="one perf stat a log, with counts",
        do=do or "keep the output of each in a file of its own",
    )


PARSER = Parser("perf-stat", recognise_by(SIGNATURE), parse)
