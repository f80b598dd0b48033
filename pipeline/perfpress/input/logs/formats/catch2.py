"""Reads the benchmarks in Catch2's XML (`-r xml`). An operation is one call of the body."""

import re
from collections.abc import Iterable
from html import unescape

from perfpress.input.logs.parser import BenchmarkNotes, Notes, Parser, recognise_by
from perfpress.input.logs.readings import LogReading

#     <TestCase name="sums" filename="sums.cpp" line="5">
CASE = re.compile(r'\s*<TestCase name="([^"]*)"')
#       <BenchmarkResults name="sum 100" samples="10" resamples="100000" iterations="517" …>
BEGIN = re.compile(r'\s*<BenchmarkResults name="([^"]*)" samples="(\d{1,18})"')
ITERATIONS = re.compile(r' iterations="(\d{1,18})"')
#         <mean value="35.4089" lowerBound="34.8642" upperBound="35.5988" ci="0.95"/>
#         <standardDeviation value="0.517436" lowerBound="0.0653614" …/>
VALUE = re.compile(r'\s*<(mean|standardDeviation) value="(\d{1,300}(?:\.\d+)?(?:e[+-]?\d{1,3})?)"')
#       <failed message="bad"/>
FAILED = re.compile(r"\s*<(?:failed|Exception|FatalErrorCondition)\b")

METRICS = {"mean": "time_per_operation", "standardDeviation": "time_per_operation_stddev"}
"""Catch2 has no median."""


def parse(lines: Iterable[str], file: str) -> LogReading:
    """Return all benchmarks; one whose name several test cases use begins with that of its own."""
    notes = Notes("catch2", file)
    case = ""
    benchmark: BenchmarkNotes | None = None
    for number, line in enumerate(lines, start=1):
        if found := CASE.match(line):
            case = unescape(found[1])
        elif found := BEGIN.match(line):
            name = unescape(found[1])
            shown = f"{case}: {name}" if name in notes.benchmarks else name
            benchmark = notes.benchmark(shown, number)
            benchmark.measure("repeats", float(found[2]), number)
            if iterations := ITERATIONS.search(line):
                benchmark.measure("iterations", float(iterations[1]), number)
        elif benchmark and (found := VALUE.match(line)):
            benchmark.measure(METRICS[found[1]], float(found[2]), number)
        elif FAILED.match(line):
            notes.complain_of(line.strip(), number)
            if benchmark:
                benchmark.partial = True
        else:
            notes.skip("line without a number of a benchmark", number)
    return notes.reading()


PARSER = Parser("catch2", recognise_by(BEGIN), parse)
