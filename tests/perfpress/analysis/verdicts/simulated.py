"""Releases that are simulated: how often a verdict calls what did not change, and what did.

Run as a program it prints a table of thousands of comparisons for each kind of noise.
"""

import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from definition_samples import report_of
from perfpress.analysis.metrics.throughput import Summary, summarise
from perfpress.analysis.study.profiles import CellKey, StepKey
from perfpress.analysis.verdicts.level_changes import SeriesLevels, levels_of
from perfpress.analysis.verdicts.mean_of_steps import MeanOfSteps, MeansOfSteps
from perfpress.analysis.verdicts.noise_windows import (
    Noises,
    noise_models,
    noise_of_stretches,
)
from perfpress.analysis.verdicts.verdicts import JudgedMetric, Verdict, verdicts_against
from perfpress.input.report.report import Report

Values = npt.NDArray[np.float64]
"""Logarithms of rates, by release, step and run."""

STEPS = 20


@dataclass(frozen=True)
class Archive:
    """What was measured, and what is known of it."""

    logs: Values
    same_code: tuple[tuple[str, ...], ...] = ()
    days: dict[str, str] | None = None


def lognormal(random: np.random.Generator, shape: tuple[int, ...]) -> Values:
    """Return runs that differ by 1.5 %."""
    return random.normal(0, 0.015, shape)


def unlike_steps(random: np.random.Generator, shape: tuple[int, ...]) -> Values:
    """Return runs that differ by 0.4 to 6 %, each step by its own."""
    spread = np.exp(random.normal(0, 0.7, (1, shape[1], 1)))
    return random.normal(0, 0.015, shape) * spread


def bimodal(random: np.random.Generator, shape: tuple[int, ...]) -> Values:
    """Return runs of which three in ten are 5 % slower."""
    return random.normal(0, 0.01, shape) - 0.05 * (random.random(shape) < 0.3)


def outliers(random: np.random.Generator, shape: tuple[int, ...]) -> Values:
    """Return runs of which one in fifty is up to 20 % slower."""
    return random.normal(0, 0.01, shape) - 0.2 * random.random(shape) * (
        random.random(shape) < 0.02
    )


def heavy_tails(random: np.random.Generator, shape: tuple[int, ...]) -> Values:
    """Return runs that differ by Student's t with three degrees of freedom."""
    return 0.01 * random.standard_t(3, shape)


def build_levels(random: np.random.Generator, shape: tuple[int, ...]) -> Values:
    """Return builds with levels of their own, 1.5 %, and runs that differ by 0.5 %."""
    return random.normal(0, 0.015, (*shape[:2], 1)) + random.normal(0, 0.005, shape)


def drift(random: np.random.Generator, shape: tuple[int, ...]) -> Values:
    """Return runs each of which is 0.3 % slower than the run before it in its cell."""
    return random.normal(0, 0.01, shape) - 0.003 * np.arange(shape[2])


def day_levels(random: np.random.Generator, shape: tuple[int, ...]) -> Values:
    """Return runs that differ by 0.5 %, two a day, and days with levels of their own, 1.5 %."""
    days = random.normal(0, 0.015, (*shape[:2], -(-shape[2] // 2)))
    return days.repeat(2, axis=2)[:, :, : shape[2]] + random.normal(0, 0.005, shape)


def alike_runs(random: np.random.Generator, shape: tuple[int, ...]) -> Values:
    """Return runs that differ by 1.5 %, two a day, the second much like the first of its day."""
    runs = random.normal(0, 0.015, shape)
    runs[..., 1::2] = 0.8 * runs[..., : shape[2] // 2 * 2 : 2] + 0.6 * runs[..., 1::2]
    return runs


Noise = Callable[[np.random.Generator, tuple[int, ...]], Values]
"""Draws relative errors of runs, of a shape."""

KINDS: tuple[Noise, ...] = (
    lognormal,
    unlike_steps,
    bimodal,
    outliers,
    heavy_tails,
    build_levels,
    drift,
    day_levels,
    alike_runs,
)

DATED = (day_levels, alike_runs)
"""Those whose runs say on which day they were made."""


def measured(archive: Archive) -> tuple[JudgedMetric, Report]:
    """Return the rates of an archive, and the report that they belong to."""
    releases, steps, runs = archive.logs.shape
    names = [str(release) for release in range(releases)]
    report = report_of(
        names,
        steps=tuple(f"step{step}" for step in range(steps)),
        same_code=archive.same_code,
    )
    summaries = {
        CellKey(release, "a", f"step{step}"): summarise(
            {
                f"{release}-{run}": 1000 * float(np.exp(archive.logs[int(release), step, run]))
                for run in range(runs)
            }
        )
        for release in names
        for step in range(steps)
    }
    noise = noise_models(summaries, report, archive.days or {})
    return JudgedMetric(summaries, {}, noise, levels_in(summaries, noise, report)), report


def levels_in(
    summaries: Mapping[CellKey, Summary], noise: Noises, report: Report
) -> dict[StepKey, SeriesLevels]:
    """Return the levels of all steps."""
    lines = [("a", step) for step in report.steps]
    names = [each.id for each in report.releases]
    return {
        line: found
        for line in lines
        for series in [{release: summaries[CellKey(release, *line)] for release in names}]
        if (found := levels_of("throughput", series, noise_of_stretches(noise, line)))
    }


def verdicts_on(archive: Archive) -> Iterator[Verdict]:
    """Yield the verdicts on the newest release against the first."""
    metric, report = measured(archive)
    yield from verdicts_against(metric, report, report.releases[-1].id, "0", "a").values()


def means_of(
    noise: Noise,
    *,
    releases: int,
    change: float,
    archives: int,
    common: float = 0.0,
) -> Iterator[MeanOfSteps]:
    """Yield the mean of all steps of the newest release of archives, a run a cell.

    Args:
        noise: from `KINDS`.
        releases: how many an archive has.
        change: of all steps in the newest release, as a part.
        archives: how many are simulated.
        common: the standard deviation of what all steps of a release have in common.
    """
    random = np.random.default_rng(1)
    for _ in range(archives):
        logs = noise(random, (releases, STEPS, 1)) + random.normal(0, 1, (1, STEPS, 1))
        logs += random.normal(0, common, (releases, 1, 1))
        logs[-1] += np.log1p(change)
        metric, report = measured(Archive(logs))
        cells = [CellKey(report.releases[-1].id, "a", step) for step in report.steps]
        mean = MeansOfSteps(metric.summaries, metric.noise, report).of(cells, "0")
        assert mean
        yield mean


def holds(mean: MeanOfSteps, change: float) -> bool:
    """Return whether the interval of a mean holds the true change."""
    low, high = mean.interval
    return low <= 1 + change <= high


def called(
    noise: Noise,
    *,
    releases: int,
    runs: int,
    change: float,
    archives: int,
    declared: bool = False,
    seed: int = 1,
) -> float:
    """Return the part of changed steps whose change is called; of unchanged ones without change.

    Args:
        noise: from `KINDS`.
        releases: how many the archive has.
        runs: a cell.
        change: of a quarter of the steps in the newest release, as a part; 0 for none.
        archives: how many are simulated.
        declared: the release before the newest is the base built again, and the report says so.
        seed: of the random numbers.
    """
    changed = STEPS // 4 if change else STEPS
    found = 0
    for archive in range(archives):
        # What builds and days have in common is drawn first, the same for any number of runs.
        random = np.random.default_rng((seed, archive))
        logs = noise(random, (releases, STEPS, runs)) + random.normal(0, 1, (1, STEPS, 1))
        logs[-1, :changed] += np.log1p(change)
        same = ((("0", str(releases - 2)),)) if declared else ()
        days = {
            f"{release}-{run}": f"day {run // 2} of {release}"
            for release in range(releases)
            for run in range(runs)
        }
        days = days if noise in DATED else {}
        verdicts = list(verdicts_on(Archive(logs, same, days)))
        found += sum(verdict.state.is_change for verdict in verdicts[:changed])
    return found / archives / changed


def main() -> None:
    """Print a table."""
    archives = int(sys.argv[1]) if len(sys.argv) > 1 else 100
    print(f"{archives} archives of {STEPS} steps; called, of unchanged and of −5 % and −10 %")
    for noise, declared in [*((each, False) for each in KINDS), (build_levels, True)]:
        kind = f"{noise.__name__}{', declared' if declared else ''}"
        for releases in (3, 9) if declared else (2, 3, 6, 9):
            for runs in (1, 3, 4, 5, 6, 8) if noise in DATED else (1, 2, 3, 5, 6, 8):
                rates = [
                    called(
                        noise,
                        releases=releases,
                        runs=runs,
                        change=change,
                        archives=archives,
                        declared=declared,
                    )
                    for change in (0.0, -0.05, -0.1)
                ]
                words = "  ".join(f"{100 * rate:5.1f} %" for rate in rates)
                print(f"{kind:22} {releases} releases, {runs} runs:  {words}", flush=True)
    print(
        "All steps together, a run each, by their common noise; of unchanged and of −3 %: called, "
        "intervals that hold the truth, sign tests below 1 %"
    )
    for noise in (lognormal, unlike_steps, bimodal, outliers, heavy_tails):
        for releases in (2, 3, 5, 6, 9, 16):
            words = ""
            for common in (0.0, 0.003, 0.01):
                words += f"  {100 * common:g} %:"
                for change in (0.0, -0.03):
                    means = list(
                        means_of(
                            noise,
                            releases=releases,
                            change=change,
                            archives=archives,
                            common=common,
                        )
                    )
                    of = [
                        (each.is_change, holds(each, change), each.p_of_lean <= 0.01)
                        for each in means
                    ]
                    words += "".join(f" {100 * part:.1f}" for part in np.mean(of, axis=0)) + ","
            print(f"{noise.__name__:14} {releases} releases: {words}", flush=True)


if __name__ == "__main__":
    main()
