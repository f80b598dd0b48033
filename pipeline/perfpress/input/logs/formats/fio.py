"""Reads what fio prints, as text (2.x and 3.x) or as JSON. An operation is one read, write or trim.

A job that reads and writes is two benchmarks, `job read` and `job write`. Jobs of one name that ran
together (`numjobs`) are one: their rates are added, and percentiles, which cannot be, are left out.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import msgspec

from perfpress.input.logs.json_results import (
    complain_of_failure,
    complain_of_second,
    recognise_json,
    typed_results,
)
from perfpress.input.logs.parser import Measures, Notes, Parser, Recognition, recognise_by
from perfpress.input.logs.readings import LogReading

# seqwrite: (groupid=0, jobs=1): err= 0: pid=4074119: Mon Dec 22 17:17:43 2025
JOB = re.compile(
    r"(?P<name>\S.*): \(groupid=(?P<group>\d+), jobs=\d+\): err=\s*(?P<error>\d+)"
    r"(?:: pid=\d+: (?P<date>\w.*))?"
)
#   write: IOPS=64.2k, BW=1004MiB/s (1052MB/s)(58.8GiB/60001msec); 0 zone resets
#   write: io=1024.0MB, bw=4163.0KB/s, iops=1040 , runt= 60001msec                         2.x
DIRECTION = re.compile(
    r"\s+(?P<way>read|write|trim)\s*: .*?\biops=\s*(?P<rate>[\d.]+[kMG]?)\s*,(?P<rest>.*)", re.I
)
BANDWIDTH = re.compile(r"BW=(?P<value>[\d.]+)(?P<unit>[KMG]?i?B)/s")
MILLISECONDS = re.compile(r"(?:/|runt=\s*)(\d+)msec")
#      issued rwts: total=0,3853576,0,0 short=0,0,0,0 dropped=0,0,0,0
#      issued    : total=r=0/w=61174/d=0, short=r=0/w=0/d=0                                2.x
ISSUED = re.compile(r"\s+issued(?: rwts)?\s*: total=(?:r=)?(\d+)[,/](?:w=)?(\d+)[,/](?:d=)?(\d+)")
#     clat (usec): min=13, max=27234, avg=15.30, stdev=29.84
TIMES = re.compile(
    r"\s+(?P<what>lat|sync) \((?P<unit>[num]sec)\)\s*: min=\s*(?P<minimum>[\d.]+[kM]?), "
    r"max=\s*(?P<maximum>[\d.]+[kM]?), avg=\s*(?P<average>[\d.]+), stdev=\s*(?P<stddev>[\d.]+)"
)
#     clat percentiles (nsec):
PERCENTILES = re.compile(r"\s+(?P<what>c?lat|sync) percentiles \((?P<unit>[num]sec)\):")
#      | 99.00th=[17536], 99.50th=[27264], 99.90th=[49408], 99.95th=[49920],
PERCENTILE = re.compile(r"(\d+\.\d+)th=\[\s*(\d+)\]")
BEGINS = re.compile(r"fio-\d")
STOPPED = re.compile(r"fio: terminating on signal \d+|fio: pid=\d+, err=")

MILLI = {"nsec": 1e-6, "usec": 1e-3, "msec": 1.0}
MANY = {"k": 1e3, "M": 1e6, "G": 1e9}
BYTES = {"KB": 1e3, "MB": 1e6, "GB": 1e9, "KiB": 2**10, "MiB": 2**20, "GiB": 2**30, "B": 1.0}
WAYS = ("read", "write", "trim")
SHOWN = frozenset({"50", "95", "99", "99.9", "99.99"})
COMPLETION = "of the time from submission to completion"


@dataclass
class Way:
    """What a job did in one direction; times in ms."""

    line: int
    operations: float = 0
    seconds: float = 0.0
    rate: float = 0.0
    """Operations a second, rounded."""
    volume: float = 0.0
    """Bytes a second."""
    times: dict[str, float] = field(default_factory=dict)
    """By the ends of their metrics' names: `average`, `p99`."""

    @property
    def throughput(self) -> float:
        """Operations a second: exact, unless that is not what fio states."""
        exact = self.operations / self.seconds if self.seconds else 0.0
        return exact if abs(exact - self.rate) <= max(1.0, 0.01 * self.rate) else self.rate


@dataclass
class Job:
    """One job."""

    name: str
    group: tuple[int, int]
    """Of jobs that ran together: the run in the log, and the number that fio gives a group."""
    line: int
    error: int = 0
    ways: dict[str, Way] = field(default_factory=dict)
    sync: dict[str, float] = field(default_factory=dict)
    """Times of fsync, as those of a direction."""
    is_whole: bool = True


def parse(lines: Iterable[str], file: str) -> LogReading:
    """Return all jobs that ran to their end."""
    notes = Notes("fio", file)
    kept = list(lines)
    begin = next((at for at, line in enumerate(kept) if '"fio version"' in line), None)
    if begin is None:
        jobs = list(_of_text(notes, kept))
    else:
        # What fio says while it runs may stand before its JSON, and its text after it.
        end = next((at for at, line in enumerate(kept) if at > begin and line == "}"), len(kept))
        for number, line in enumerate(kept[:begin], start=1):
            if STOPPED.match(line):
                return _stopped(notes, line, number)
        begin -= not kept[begin].lstrip().startswith("{")
        text = ["" for _ in kept[:begin]] + kept[max(0, begin) : end + 1]
        jobs = list(_of_json(notes, text))
    _note(notes, jobs)
    return notes.reading()


def _stopped(notes: Notes, line: str, number: int) -> LogReading:
    notes.complain_of(line, number)
    notes.partial = True
    return notes.reading()


def _of_text(notes: Notes, lines: Sequence[str]) -> Iterator[Job]:
    """Yield the jobs of a text; none of a run that was stopped."""
    run, stopped, job, way = 0, False, None, ""
    what, milli = "", 0.0
    for number, line in enumerate(lines, start=1):
        if BEGINS.match(line):
            run, stopped = run + 1, False
            notes.facts.setdefault("fio", line.strip())
        elif STOPPED.match(line):
            stopped = True
            notes.complain_of(line, number)
            notes.partial = True
        elif begun := JOB.match(line):
            if job and not job.is_whole:
                _complain_of_end(notes, job)
            job, way, what = None, "", ""
            if begun["date"]:  # when the results were printed
                notes.begin(begun["date"])
            if not stopped:
                group = run, int(begun["group"])
                job = Job(begun["name"], group, number, int(begun["error"]), is_whole=False)
        elif job is None:
            notes.skip("line outside of a job's results", number)
        elif found := DIRECTION.match(line):
            way = found["way"].lower()
            job.ways[way] = _way(found, number)
        elif found := ISSUED.match(line):
            for name, count in zip(WAYS, found.groups(), strict=True):
                if name in job.ways:
                    job.ways[name].operations = int(count)
            job.is_whole = True
            yield job
        elif found := TIMES.match(line):
            of_job = job.sync if found["what"] == "sync" else _times(job, way)
            for name in ("minimum", "maximum", "average", "stddev"):
                of_job[name] = _number(found[name]) * MILLI[found["unit"]]
        elif found := PERCENTILES.match(line):
            what, milli = found["what"], MILLI[found["unit"]]
        elif what and (values := PERCENTILE.findall(line)):
            of_job = job.sync if what == "sync" else _times(job, way)
            of_job |= _percentiles((percent, float(value) * milli) for percent, value in values)
        else:
            notes.skip("histogram, CPU, depth or disk", number)
    if job and not job.is_whole:
        _complain_of_end(notes, job)


def _way(found: re.Match[str], line: int) -> Way:
    way = Way(line, rate=_number(found["rate"]))
    if volume := BANDWIDTH.search(found[0]):
        way.volume = float(volume["value"]) * BYTES[volume["unit"]]
    if time := MILLISECONDS.search(found["rest"]):
        way.seconds = int(time[1]) / 1000
    return way


def _times(job: Job, way: str) -> dict[str, float]:
    return job.ways[way].times if way in job.ways else {}


def _number(text: str) -> float:
    return float(text.rstrip("kMG")) * MANY.get(text[-1], 1.0)


def _percentiles(values: Iterable[tuple[str, float]]) -> dict[str, float]:
    plain = ((percent.rstrip("0").rstrip("."), value) for percent, value in values)
    return {f"p{percent}": value for percent, value in plain if percent in SHOWN}


def _complain_of_end(notes: Notes, job: Job) -> None:
    notes.partial = True
    complain_of_failure(notes, f"the results of the job {job.name} break off", job.line)


class Times(msgspec.Struct, frozen=True):
    """Times in ns."""

    min: float = 0.0
    max: float = 0.0
    mean: float = 0.0
    stddev: float = 0.0
    percentile: Mapping[str, float] = {}

    @property
    def named(self) -> dict[str, float]:
        """In ms, by the ends of metrics' names."""
        whole = {
            "minimum": self.min,
            "maximum": self.max,
            "average": self.mean,
            "stddev": self.stddev,
            **_percentiles(self.percentile.items()),
        }
        return {name: value * MILLI["nsec"] for name, value in whole.items()}


class WayResult(msgspec.Struct, frozen=True):
    """One direction of a job in JSON; `runtime` in ms."""

    iops: float
    total_ios: float
    runtime: float
    bw_bytes: float = 0.0
    lat_ns: Times = Times()
    clat_ns: Times = Times()


class SyncResult(msgspec.Struct, frozen=True):
    """The fsyncs of a job in JSON."""

    total_ios: float = 0
    lat_ns: Times = Times()


class JobResult(msgspec.Struct, frozen=True):
    """One entry of `jobs`."""

    jobname: str
    groupid: int
    error: int
    read: WayResult
    write: WayResult
    trim: WayResult | None = None
    job_start: int = 0
    """In ms; from 3.36 on."""
    sync: SyncResult = SyncResult()


def _of_json(notes: Notes, lines: Sequence[str]) -> Iterator[Job]:
    results, read = typed_results(notes, lines, "jobs", JobResult)
    found = list(results)
    for line, result, _ in found:
        job = Job(result.jobname, (0, result.groupid), line, result.error)
        for name in WAYS:
            of_way: WayResult | None = getattr(result, name)
            if of_way and of_way.total_ios:
                job.ways[name] = Way(
                    line,
                    of_way.total_ios,
                    of_way.runtime / 1000,
                    of_way.iops,
                    of_way.bw_bytes,
                    {**of_way.clat_ns.named, **of_way.lat_ns.named},
                )
        if result.sync.total_ios:
            job.sync = result.sync.lat_ns.named
        yield job
    # `timestamp` is when the results were printed.
    starts = [start for _, result, _ in found if (start := result.job_start)]
    if began := min(starts, default=read.rest.get("timestamp")):
        notes.begin(began)
    version: Any = read.rest.get("fio version", "")
    notes.facts["fio"] = str(version)[:100]


def _note(notes: Notes, jobs: Iterable[Job]) -> None:
    """Note each job, and those of one name that ran together as one."""
    by_name: dict[str, list[Job]] = {}
    for job in jobs:
        if job.error:
            complain_of_failure(notes, f"the job {job.name} ended with error {job.error}", job.line)
            by_name.setdefault(job.name, []).append(job)
            continue
        together = by_name.setdefault(job.name, [])
        if together and together[0].group != job.group:
            complain_of_second(notes, job.name, job.line)
        else:
            together.append(job)
    for name, together in by_name.items():
        if any(job.error for job in together):
            continue
        ways = [way for way in WAYS if any(way in job.ways for job in together)]
        for way in ways:
            same = [job for job in together if way in job.ways]
            shown = name if len(ways) == 1 else f"{name} {way}"
            _note_way(notes.benchmark(shown, same[0].line), way, same)


def _note_way(benchmark: Measures, way: str, jobs: Sequence[Job]) -> None:
    of_way = [job.ways[way] for job in jobs]
    line = of_way[0].line
    several = f"of {len(jobs)} jobs together" if len(jobs) > 1 else ""
    benchmark.measure("throughput", sum(each.throughput for each in of_way), line, several)
    benchmark.measure("operations", sum(each.operations for each in of_way), line, several)
    benchmark.measure("seconds", max(each.seconds for each in of_way), line)
    if volume := sum(each.volume for each in of_way):
        benchmark.measure("bytes_per_second", volume, line, several)
    if len(jobs) == 1:
        for name, value in of_way[0].times.items():
            note = COMPLETION if name.startswith("p") else ""
            benchmark.measure(f"latency_{name}", value, line, note)
        if way == "write":
            for name, value in jobs[0].sync.items():
                benchmark.measure(f"sync_latency_{name}", value, line)
        return
    count = sum(each.operations for each in of_way)
    # `issued rwts: total=0,0,0,0` beside times: a log that was damaged
    if count and all("average" in each.times for each in of_way):
        total = sum(each.times["average"] * each.operations for each in of_way)
        benchmark.measure("latency_average", total / count, line, several)
        slowest = max(each.times["maximum"] for each in of_way)
        benchmark.measure("latency_maximum", slowest, line, several)


_IS_TEXT = recognise_by(JOB)
_IS_JSON = recognise_json("fio version", "jobs")


def _recognise(lines: Sequence[str]) -> Recognition:
    begin = next((at for at, line in enumerate(lines) if line == "{"), 0)
    as_json = _IS_JSON(lines[begin:])
    return "yes" if as_json == "yes" else _IS_TEXT(lines)


PARSER = Parser("fio", _recognise, parse, has_start=True)
