"""Damaged logs of hosts and of the Insert Benchmark are read or reported, in linear time."""

import math
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from perfpress.input.logs.formats import parser_of
from perfpress.input.logs.parser import Parser
from perfpress.input.logs.readings import LogReading

SAMPLES = Path(__file__).parent / "samples"
PARSERS = [
    parser_of(name)
    for name in (
        "insert-benchmark-client",
        "insert-benchmark-result",
        "insert-benchmark-summary",
        "iostat",
        "operation-rates",
        "perf-stat",
        "time",
        "vmstat",
    )
]
by_parser = pytest.mark.parametrize("parser", PARSERS, ids=lambda parser: parser.name)


def lines_of(parser: Parser) -> list[str]:
    """Return all lines of a parser's samples."""
    return [
        line
        for sample in sorted(SAMPLES.glob(f"{parser.name}*"))
        for line in sample.read_text().splitlines()
    ]


def check(reading: LogReading) -> None:
    for problem in reading.problems:
        assert str(problem).isprintable()
        assert len(problem.found) < 400
    measured = [*reading.metrics, *(m for each in reading.benchmarks for m in each.metrics)]
    for metric in measured:
        assert math.isfinite(metric.value)
        assert len(metric.name) < 200
        assert metric.name.isprintable()
    for series in reading.series:
        assert len(series.seconds) == len(series.values) > 0
        assert list(series.seconds) == sorted(series.seconds) or reading.format != "iostat"


NUMBERS = ["", "-", "-1", "NA", "inf", "nan", "1e999", "9" * 5000, "0", "1,5", "\u0663", "\x1b[31m"]


@by_parser
@given(data=st.data())
@settings(max_examples=60)
def test_no_damaged_line_makes_a_parser_raise(parser: Parser, data: st.DataObject) -> None:
    own = lines_of(parser)
    lines = data.draw(st.lists(st.one_of(st.sampled_from(own), st.text(max_size=40)), max_size=30))
    for place in range(len(lines)):
        words = lines[place].split(" ")
        if data.draw(st.integers(0, 3)) == 0 and words:
            words[data.draw(st.integers(0, len(words) - 1))] = data.draw(st.sampled_from(NUMBERS))
            lines[place] = " ".join(words)
        if data.draw(st.integers(0, 5)) == 0:
            cells = lines[place].split("\t")
            cells[data.draw(st.integers(0, len(cells) - 1))] = data.draw(st.sampled_from(NUMBERS))
            lines[place] = "\t".join(cells)
    parser.recognise(lines)
    check(parser.parse(lines, data.draw(st.sampled_from(["log", "q100/o.ib.dop1.1", "../l.i0"]))))


LONG: list[Callable[[str], str]] = [
    lambda line: line * 1000,
    lambda line: " " * LENGTH + line,
    lambda line: line + " " * LENGTH + "x",
    lambda line: line.replace("1", "1" * LENGTH, 1),
    lambda line: line.replace(" ", " 1,1.1" * LENGTH, 1),
    lambda line: line.replace("\t", "\t1.1" * LENGTH, 1),
]
LENGTH = 30_000
SECONDS = 5.0
"""CPU time for all long lines of a parser: it takes some tenths of a second, and with a quadratic
pattern one line alone takes longer."""


@by_parser
def test_long_lines_are_parsed_in_linear_time(parser: Parser) -> None:
    began = time.process_time()
    for line in dict.fromkeys(lines_of(parser)):
        for lengthen in LONG:
            long = lengthen(line)[:LENGTH]
            parser.recognise([long])
            check(parser.parse([line, long], "log"))
            assert time.process_time() - began < SECONDS
