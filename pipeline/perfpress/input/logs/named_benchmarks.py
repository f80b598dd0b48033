"""Selects the benchmark in a log that has the name of the step."""

from functools import lru_cache

from msgspec.structs import replace

from perfpress.base.problems import Problem
from perfpress.base.slugs import slug
from perfpress.input.logs.readings import Benchmark, LogReading

MOST_NAMED = 20
"""Benchmarks that a message lists."""

LONGEST_STEP = 200
"""Characters of a name that a step has as it is."""


def of_step(reading: LogReading, step: str, run_toml: str, *, only_step: bool) -> LogReading:
    """Return the reading with the metrics and series of the benchmark that the step means.

    It is the one of the step's name, or else the only one with the same slug, or else the one whose
    name the step's ends with: `workloada READ` is READ. For the only step of a log it is also the
    only benchmark: where several steps name the log, one that is alone in it may be what is left of
    several. A log without named benchmarks comes back as it is.

    Args:
        reading: of a log of the step.
        step: the step's name.
        run_toml: the file to show where none can be chosen.
        only_step: whether no other step names the log.
    """
    if not reading.benchmarks:
        return reading
    chosen = _chosen(reading.benchmarks, step, only_step)
    if chosen is None:
        problem = _problem(reading, step, run_toml)
        return replace(reading, benchmarks=(), problems=(*reading.problems, problem))
    return replace(
        reading,
        metrics=(*reading.metrics, *chosen.metrics),
        series=(*reading.series, *chosen.series),
        histograms=(*reading.histograms, *chosen.histograms),
        plans=(*reading.plans, *chosen.plans),
        benchmarks=(chosen,),
        partial=reading.partial or chosen.partial,
    )


def step_name(benchmark: str) -> str:
    """Return a name for the step of a benchmark, by which `of_step` finds it."""
    return benchmark if len(benchmark) <= LONGEST_STEP else slug(benchmark)


def _chosen(benchmarks: tuple[Benchmark, ...], step: str, only_step: bool) -> Benchmark | None:
    for each in benchmarks:
        if each.name == step:
            return each
    alike = [each for each in benchmarks if _slug(each.name) == _slug(step)]
    if len(alike) == 1:
        return alike[0]
    behind = [each for each in benchmarks if step.endswith(f" {each.name}")]
    if behind:
        return max(behind, key=lambda each: len(each.name))
    return benchmarks[0] if only_step and len(benchmarks) == 1 else None


_slug = lru_cache(maxsize=8192)(slug)
"""Thousands of steps may each look through thousands of benchmarks."""


def _problem(reading: LogReading, step: str, run_toml: str) -> Problem:
    names = [repr(each.name) for each in reading.benchmarks]
    more = f" and {len(names) - MOST_NAMED} more" if len(names) > MOST_NAMED else ""
    return Problem(
        path=run_toml,
        found=f"step {step!r}: {reading.file} holds no benchmark of that name",
        expected=f"one of {', '.join(names[:MOST_NAMED])}{more}",
        do="name the step as the benchmark is named",
    )
