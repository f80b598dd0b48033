"""Reads what `go test -bench` prints: the Go benchmark data format, also within `go test -json`.

The format: https://go.dev/design/14313-benchmark-format, and golang.org/x/perf/benchfmt for units.
An operation is one iteration of the benchmark's loop.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

import msgspec
from msgspec.structs import replace

from perfpress.input.logs.metric_names import scaled
from perfpress.input.logs.parser import (
    LONGEST_NAME,
    Notes,
    Parser,
    excerpt,
    recognise_by,
    why_skipped,
)
from perfpress.input.logs.readings import Better, LogReading, Metric
from perfpress.input.logs.repeats import Repeats

# BenchmarkSort/size=10-2     200    581.7 ns/op   137.52 MB/s   29.11 compares/op   80 B/op
RESULT = re.compile(r"Benchmark(\S*)\s+(\d{1,18})\s+(\S+\s+\S.*)")
# {"Time":"2026-11-24T18:00:00Z","Action":"output","Package":"p","Output":"BenchmarkSort \t"}
JSON_EVENT = re.compile(r'\{(?:"Time":"[^"]*",)?"Action":"')
SIGNATURE = re.compile(
    r"Benchmark\S*\s+\d+\s+\S+ ns/op\b|Unit \S+ .*\bbetter=|"
    rf"{JSON_EVENT.pattern}output\".*\"Output\":\".* ns/op\b"
)
# BenchmarkPanics-2    	panic: bad
BEGUN = re.compile(r"Benchmark(\S*)\s+\S")
# --- FAIL: BenchmarkFails
FAILED = re.compile(r"\s*--- FAIL: Benchmark(\S*)")
# FAIL	example.org/sorting	0.013s
# panic: bad
BROKEN = re.compile(r"FAIL\b|panic: |exit status |fatal error: ")
# cpu: AMD EPYC
FACT = re.compile(r"(goos|goarch|pkg|cpu|[a-z][^\s:A-Z]*): +(\S.*)$")
# Unit compares/op better=lower assume=exact
UNIT = re.compile(r"Unit (\S+)\s.*\bbetter=(higher|lower)\b")
BETTER: Mapping[str, Better] = {"higher": "higher", "lower": "lower"}

KNOWN_UNITS = {
    "ns/op": ("time_per_operation", 0),
    "B/op": ("allocated_per_operation", 0),
    "allocs/op": ("allocations_per_operation", 0),
    "MB/s": ("bytes_per_second", 6),
}
"""The metrics that the testing package itself prints, by their unit there, with the power of ten
that makes one of it the metric's."""

# BenchmarkSort/size=10-2: the number of CPUs that Go used, left out where it is 1.
CPUS = re.compile(r"-(\d+)$")

LEFT_OUT: tuple[tuple[str, re.Pattern[str]], ...] = (
    # BenchmarkSort/size=10          with -v, before its result
    ("heading", re.compile(r"$|Benchmark\S*$|=== |PASS$|ok\s|\?\s|testing: ")),
    # --- BENCH: BenchmarkMap-2
    #     sort_test.go:30: size of the map 200
    ("message of a benchmark", re.compile(r"\s*--- (?:BENCH|SKIP): |\s+\S+\.go:\d+: ")),
)


class TestEvent(msgspec.Struct, frozen=True, rename="pascal"):
    """A line of `go test -json`."""

    action: str
    package: str = ""
    output: str = ""
    time: str = ""


def _plain(notes: Notes, lines: Iterable[str]) -> Iterator[tuple[int, str]]:
    """Yield the lines that go test printed, each with the number of that on which it ends.

    `-json` breaks one into several events: the name of a benchmark comes before its result.
    """
    begun: dict[str, str] = {}
    number = 0
    for number, line in enumerate(lines, start=1):
        if not JSON_EVENT.match(line):
            yield number, line
            continue
        try:
            event = msgspec.json.decode(line, type=TestEvent)
        except ValueError:
            yield number, line
            continue
        if event.time:
            notes.begin(event.time)
        if event.action == "output":
            text = begun.pop(event.package, "") + event.output
            *whole, begun[event.package] = text.split("\n")
            yield from ((number, each) for each in whole)
    for rest in filter(None, begun.values()):
        yield number, rest


def parse(lines: Iterable[str], file: str) -> LogReading:
    """Return all benchmarks, of each the medians of its repeats (`-count`)."""
    notes = Notes("go-bench", file)
    found: dict[tuple[str, str], Repeats] = {}
    directions: dict[str, Better] = {}
    package = ""
    for number, line in _plain(notes, lines):
        if result := RESULT.match(line):
            one = found.setdefault((package, _name(result)), Repeats(number))
            _read_result(notes, one, result, number)
        elif failed := FAILED.match(line) or BEGUN.match(line):
            found.setdefault((package, _name(failed)), Repeats(number)).failed = True
            notes.complain(
                line=number,
                found=excerpt(line),
                expected="a result: its iterations, then a number and a unit for each metric",
                do="fix the benchmark and run it again; the others count",
            )
        elif fact := FACT.match(line):
            package = fact[2] if fact[1] == "pkg" else package
            notes.facts.setdefault(excerpt(fact[1], 100), excerpt(fact[2]))
        elif unit := UNIT.match(line):
            directions[excerpt(unit[1])] = BETTER[unit[2]]
        elif BROKEN.match(line):
            notes.complain_of(line, number)
        else:
            notes.skip(why_skipped(LEFT_OUT, line) or "line that is not go test's", number)
    _note_benchmarks(notes, found, directions)
    return notes.reading()


def _name(found: re.Match[str]) -> str:
    return excerpt(found[1], LONGEST_NAME)


def _read_result(notes: Notes, found: Repeats, result: re.Match[str], line: int) -> None:
    found.measure("iterations", float(result[2]), line)
    # 581.7 ns/op   137.52 MB/s
    values = result[3].split()
    for text, unit in zip(values[::2], (*values[1::2], ""), strict=False):
        try:
            value = float(text)
        except ValueError:
            found.failed = True
            notes.complain(
                line=line,
                found=f"{excerpt(text, 40)!r} {excerpt(unit, 40)}",
                expected="a number as Go prints it, with a decimal point",
                do="copy the log again from where it was written",
            )
            continue
        if unit in KNOWN_UNITS:
            name, digits = KNOWN_UNITS[unit]
            found.measure(name, scaled(value, digits), line)
        else:
            shown = excerpt(unit)
            found.measure_own(Metric(name=shown, value=value, unit=shown, line=line))


def _note_benchmarks(
    notes: Notes, found: Mapping[tuple[str, str], Repeats], directions: Mapping[str, Better]
) -> None:
    cpus = _cpus_of_all([name for (_, name), repeats in found.items() if repeats])
    if cpus:
        notes.facts["GOMAXPROCS"] = cpus.removeprefix("-")
    # `--- FAIL: BenchmarkSort` is also printed where only BenchmarkSort/size=10 failed.
    parents = {
        (package, name[:end])
        for package, name in found
        for end, char in enumerate(name)
        if char == "/"
    }
    with_package = len({package for package, _ in found}) > 1
    for (package, name), repeats in found.items():
        if not repeats and (package, name) in parents:
            continue
        shown = name.removesuffix(cpus)
        benchmark = notes.benchmark(f"{package} {shown}" if with_package else shown, repeats.line)
        repeats.note(benchmark)
        for unit, better in directions.items():
            if unit in benchmark.metrics:
                benchmark.metrics[unit] = replace(benchmark.metrics[unit], better=better)


def _cpus_of_all(names: Sequence[str]) -> str:
    """Return the ending that says how many CPUs Go used, where all names have the same.

    Where they differ (`-cpu 1,2,4`) it distinguishes the benchmarks, and stays.
    """
    endings = {found[0] if (found := CPUS.search(name)) else "" for name in names}
    return endings.pop() if len(endings) == 1 else ""


PARSER = Parser("go-bench", recognise_by(SIGNATURE), parse, has_start=True)
