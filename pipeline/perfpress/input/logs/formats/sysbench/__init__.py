"""Reads what sysbench prints: 0.4, 0.5, 1.0 and 1.1, interval lines and histograms included.

An operation is an event, which the SQL tests call a transaction. Rates are stated over the time
after the warm-up.

A log may hold several runs. Where each begins with its command and no two run the same test, they
are named benchmarks; otherwise the first whole run is read, and the others are reported.
"""

import re
from collections.abc import Iterable, Sequence

from msgspec.structs import replace

from perfpress.input.logs.formats.sysbench.run import Run
from perfpress.input.logs.parser import Parser, recognise_by
from perfpress.input.logs.readings import Benchmark, LogReading, Skipped

SIGNATURE = re.compile(
    r"sysbench \d+\.\d|Running the test with following options:|(?:SQL|OLTP test) statistics:"
    r"|\[\s*\d+s ?\] (?:thds|threads): "
)

MOST_RUNS = 1000
"""Runs of one log that are kept apart; what comes behind them is counted."""


def parse(lines: Iterable[str], file: str) -> LogReading:
    """Return what sysbench printed."""
    run = Run(file, 1)
    runs = [run]
    number = 0
    for number, line in enumerate(lines, start=1):
        if not line:
            run.plans.end()
            run.notes.skip("heading", number)
        elif not run.plans.take(line, number):
            if run.is_followed_by(line) and len(runs) < MOST_RUNS:
                run.last_line = number - 1
                run = Run(file, number)
                runs.append(run)
            run.read(line, number)
    run.last_line = number
    return _reading(runs)


def _reading(runs: Sequence[Run]) -> LogReading:
    """Return the only run, or several as benchmarks, or the first whole one of them."""
    names = [run.facts.get("script", "") for run in runs]
    if len(runs) > 1 and all(names) and len(set(names)) == len(names):
        return _benchmarks([run.reading() for run in runs], names, runs)
    at = next((at for at, run in enumerate(runs) if run.is_whole), len(runs) - 1)
    chosen, earlier, later = runs[at], runs[:at], runs[at + 1 :]
    if earlier:
        chosen.notes.complain_of_another_run("the one before it broke off", chosen.first_line)
    if later:
        chosen.notes.complain_of_another_run("the first one is read", later[0].first_line)
    before = [run.notes.reading() for run in earlier]
    reading = chosen.reading()
    left_out = (
        ("line of a run that broke off", earlier),
        ("line of a later run", later),
    )
    return replace(
        reading,
        facts=_merged(before, reading),
        problems=(*(each for one in before for each in one.problems), *reading.problems),
        skipped=(
            *reading.skipped,
            *(_skipped(reason, others) for reason, others in left_out if others),
        ),
    )


def _benchmarks(
    readings: Sequence[LogReading], names: Sequence[str], runs: Sequence[Run]
) -> LogReading:
    """Return runs of different tests as benchmarks, each named by its script."""
    first, *others = readings
    return replace(
        first,
        metrics=(),
        series=(),
        histograms=(),
        plans=(),
        benchmarks=tuple(
            Benchmark(
                name=name,
                metrics=reading.metrics,
                series=reading.series,
                histograms=reading.histograms,
                plans=reading.plans,
                first_line=run.first_line,
                partial=reading.partial,
            )
            for name, reading, run in zip(names, readings, runs, strict=True)
        ),
        facts=tuple(fact for fact in first.facts if all(fact in each.facts for each in others)),
        skipped=tuple(each for reading in readings for each in reading.skipped),
        problems=tuple(each for reading in readings for each in reading.problems),
        partial=False,
    )


def _merged(earlier: Sequence[LogReading], reading: LogReading) -> tuple[tuple[str, str], ...]:
    """Return the facts of a run, and of those before it what it does not say itself."""
    facts = dict(reading.facts)
    for each in earlier:
        facts = dict(each.facts) | facts
    return tuple(facts.items())


def _skipped(reason: str, runs: Sequence[Run]) -> Skipped:
    first, last = runs[0].first_line, runs[-1].last_line
    return Skipped(reason=reason, count=last - first + 1, first_line=first)


PARSER = Parser("sysbench", recognise_by(SIGNATURE), parse)
