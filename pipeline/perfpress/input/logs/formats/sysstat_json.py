"""Reads the JSON of sysstat: `mpstat -o JSON`, `iostat -o JSON` and `sadf -j`.

The numbers are those of the whole host, the client that drove the benchmark included. iostat's
first report covers the time since the host was started, and is left out where it is not the only
one, which comes with a warning; with `-y`, which suppresses it, the log loses its first interval.
"""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from statistics import fmean
from typing import Any

from perfpress.input.logs.json_results import number_of, reason_of, recognise_json, whole_text
from perfpress.input.logs.parser import Notes, Parser, excerpt
from perfpress.input.logs.readings import LogReading
from perfpress.input.logs.storage_devices import physical

CPU = {
    "usr": "cpu_user",
    "user": "cpu_user",
    "nice": "cpu_user",
    "sys": "cpu_system",
    "system": "cpu_system",
    "irq": "cpu_system",
    "soft": "cpu_system",
    "iowait": "cpu_wait",
    "steal": "cpu_stolen",
    "guest": "cpu_guest",
    "gnice": "cpu_guest",
    "idle": "cpu_idle",
}
"""By key; those of one metric are added up, as vmstat does."""

DISK = {
    "r/s": "reads",
    "w/s": "writes",
    "rkB/s": "read_volume",
    "rkB": "read_volume",
    "kB_read/s": "read_volume",
    "wkB/s": "write_volume",
    "wkB": "write_volume",
    "kB_wrtn/s": "write_volume",
    "r_await": "read_latency",
    "w_await": "write_latency",
    "util": "utilization",
    "util-percent": "utilization",
}
"""By key: the metric of a device."""

QUEUE = {"runq-sz": "runnable", "blocked": "blocked"}
SUMMED = ("reads", "writes", "read_volume", "write_volume")
LONGEST_NAME = 100
"""Characters of a device's name."""


def parse(lines: Iterable[str], file: str) -> LogReading:
    """Return the averages over all intervals, and where the log has clocks each interval's."""
    notes = Notes("sysstat-json", file)
    statistics = list(_statistics(notes, lines))
    if len(statistics) > 1 and "avg-cpu" in statistics[0]:
        notes.skip("first report: averages since the host was started", 0)
        statistics = statistics[1:]
    elif statistics and "avg-cpu" in statistics[0]:
        notes.complain(
            found="one report of iostat, which covers the time since the host was started",
            expected="a report for each interval",
            do="run iostat with an interval; with -y as well the one report is of the interval",
            severity="warning",
        )
    reports = [(_clock(each), dict(_numbers(each))) for each in statistics]
    names = dict.fromkeys(name for _, values in reports for name in values)
    for name in names:
        notes.measure(name, fmean(values[name] for _, values in reports if name in values), 0)
    _note_series(notes, reports)
    if not names and not notes.partial:
        _complain(notes, "no numbers of processors or devices")
    return notes.reading()


def _statistics(notes: Notes, lines: Iterable[str]) -> Iterator[dict[str, Any]]:
    text = whole_text(lines)
    try:
        document = json.loads(text or "")
    except (ValueError, RecursionError) as error:
        _complain(notes, reason_of(error))
        return
    hosts = _inner(_inner(document, "sysstat", dict), "hosts", list)
    for host in hosts if isinstance(hosts, list) else []:
        for key in ("nodename", "release", "number-of-cpus"):
            if isinstance(host, dict) and key in host:
                notes.facts[key] = excerpt(str(host[key]))
        statistics = _inner(host, "statistics", list)
        yield from (each for each in statistics or [] if isinstance(each, dict))


def _inner(value: Any, key: str, type_: type) -> Any:
    found = value.get(key) if isinstance(value, dict) else None
    return found if isinstance(found, type_) else None


def _numbers(report: Mapping[str, Any]) -> Iterator[tuple[str, float]]:
    """Yield the metrics of one report, by name."""
    yield from _cpu(report).items()
    switches = _inner(report, "process-and-context-switch", dict) or {}
    if (value := number_of(switches.get("cswch"))) is not None:
        yield "context_switches", value
    for key, name in QUEUE.items():
        if (value := number_of((_inner(report, "queue", dict) or {}).get(key))) is not None:
            yield name, value
    devices = dict(_devices(report))
    for device, numbers in devices.items():
        for name, value in numbers.items():
            yield f"{name} of {device}", value
    summed = physical(devices)
    for name in SUMMED:
        values = [devices[each][name] for each in summed if name in devices[each]]
        if values:
            yield name, sum(values)


def _devices(report: Mapping[str, Any]) -> Iterator[tuple[str, dict[str, float]]]:
    for disk in _inner(report, "disk", list) or []:
        if isinstance(disk, dict):
            device = "_".join(str(disk.get("disk_device") or disk.get("disk-device")).split())
            numbers = {name: number_of(disk.get(key)) for key, name in DISK.items() if key in disk}
            known = {name: value for name, value in numbers.items() if value is not None}
            yield excerpt(device, LONGEST_NAME), known


def _cpu(report: Mapping[str, Any]) -> dict[str, float]:
    whole = _inner(report, "avg-cpu", dict)
    for each in _inner(report, "cpu-load", list) or _inner(report, "cpu-load-all", list) or []:
        if isinstance(each, dict) and each.get("cpu") == "all":
            whole = each
    found: dict[str, float] = {}
    for key, value in (whole or {}).items():
        if key in CPU and (number := number_of(value)) is not None:
            found[CPU[key]] = found.get(CPU[key], 0.0) + number
    return found


def _clock(report: Mapping[str, Any]) -> datetime | None:
    """Return the time of a report: a day's of mpstat and iostat, a date and time of sadf."""
    stamp = report.get("timestamp")
    text = f"{stamp.get('date')} {stamp.get('time')}" if isinstance(stamp, dict) else stamp
    for form in ("%Y-%m-%d %H:%M:%S", "%H:%M:%S", "%I:%M:%S %p"):
        try:
            return datetime.strptime(str(text), form)
        except ValueError:
            continue
    return None


def _note_series(
    notes: Notes, reports: Sequence[tuple[datetime | None, Mapping[str, float]]]
) -> None:
    """Note the values of intervals, counted from the first report: the length of it is unknown."""
    clocks = [clock for clock, _ in reports if clock is not None]
    if len(clocks) < 2 or len(clocks) < len(reports) or sorted(clocks) != clocks:
        return
    length = (clocks[1] - clocks[0]).total_seconds()
    for clock, (_, values) in zip(clocks, reports, strict=True):
        for name, value in values.items():
            seconds = (clock - clocks[0]).total_seconds() + length
            notes.sample(name, seconds, value, 0)


def _complain(notes: Notes, found: str) -> None:
    expected = "the JSON of mpstat, iostat or sadf, whole"
    notes.break_off(found=found, expected=expected, do="stop the tool by SIGINT")


PARSER = Parser("sysstat-json", recognise_json("sysstat", "hosts", "statistics"), parse)
