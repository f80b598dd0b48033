"""Which of the benchmarks in a log a step means: the one that is called as the step is."""

from msgspec.structs import replace

from pipeline.problems import Problem
from pipeline.readings import Benchmark, LogReading
from pipeline.slug import slug

MOST_NAMED = 20
"""Benchmarks that a message lists."""


def of_step(reading: LogReading, step: str, run_toml: str) -> LogReading:
    """Return the reading with the metrics and series of the benchmark that the step means.

    It is the one of the step's name, or else the only one with the same slug, or the only one of
    all. A reading of a log that holds no named benchmarks comes back as it is.

    Args:
        reading: of a log of the step.
        step: the step's name.
        run_toml: the file to show where none can be chosen.
    """
    if not reading.benchmarks:
        return reading
    chosen = _chosen(reading.benchmarks, step)
    if chosen is None:
        problem = _problem(reading, step, run_toml)
        return replace(reading, benchmarks=(), problems=(*reading.problems, problem))
    return replace(
        reading,
        metrics=(*reading.metrics, *chosen.metrics),
        series=(*reading.series, *chosen.series),
        benchmarks=(chosen,),
        partial=reading.partial or chosen.partial,
    )


def step_name(benchmark: str, longest: int = 200) -> str:
    """Return a name for the step of a benchmark, by which `of_step` finds it."""
    return benchmark if len(benchmark) <= longest else slug(benchmark)


def _chosen(benchmarks: tuple[Benchmark, ...], step: str) -> Benchmark | None:
    for alike in (
        [each for each in benchmarks if each.name == step],
        [each for each in benchmarks if slug(each.name) == slug(step)],
        benchmarks,
    ):
        if len(alike) == 1:
            return alike[0]
    return None


def _problem(reading: LogReading, step: str, run_toml: str) -> Problem:
    names = [repr(each.name) for each in reading.benchmarks]
    more = f" and {len(names) - MOST_NAMED} more" if len(names) > MOST_NAMED else ""
    return Problem(
        path=run_toml,
        found=f"step {step!r}: {reading.file} holds no benchmark of that name",
        expected=f"one of {', '.join(names[:MOST_NAMED])}{more}",
        do="name the step as the benchmark is named",
    )
