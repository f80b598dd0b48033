"""How far two measurements of the same thing differ: one model for a report and metric.

The logarithm of a value is the level of its cell + an effect of the build + an effect of the day
+ an effect of the run. A *line* is one variant and step, over all releases. What is known of the
effects comes from

    repeats         runs of one cell: the effect of the run
    equal builds    releases that the report declares to be the same code, and variants that it
                    declares to be twins: the effects of build and run together
    neighbours      releases next to each other on a line differ mostly by noise, that of builds
                    and days included (`variances.of_neighbours`)
    the prior       2 % a run, or what the report declares, where nothing of this exists

The lines of a report strengthen each other (`variances.moderated`). Where there are repeats,
neighbours show whether builds have levels of their own: an F test of all lines together. Days
count where runs of one cell were made on several days, and the days have levels of their own: then
a day is one value. Where each cell was measured on a day of its own, repeats say nothing of days,
and the neighbours or the prior do. Processes of one run (JMH's forks) are as runs of a day that no
other run has.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from math import fsum, log, sqrt
from statistics import fmean, median

from scipy.special import fdtrc

from perfpress.analysis.metrics.throughput import Summary
from perfpress.analysis.study.profiles import CellKey, StepKey
from perfpress.analysis.verdicts.days import days_matter, independent, with_processes
from perfpress.analysis.verdicts.noise import Noise, NoiseModel, NoiseSource
from perfpress.analysis.verdicts.variances import (
    Variance,
    added,
    clipped,
    moderated,
    of_neighbours,
    of_values,
    pooled,
    trimmed,
)
from perfpress.input.report.report import Report

Cells = Mapping[str, Sequence[float]]
"""Of one line: the logarithms of independent values, by release."""

PRIOR = Variance(0.02**2, 4)
"""Of the logarithm of one run, build and day included: rates of one run on a quiet machine differ
by 1 to 3 %. Four degrees make it weak: what differs by less than 8 % is not called different."""

COMMON_PRIOR = Variance(0.01**2, 12)
"""Of what all steps of a build have in common: layout of the code, place on the disk. Twelve
degrees say that it is known within a factor of 1.5."""

LEVEL_PRIOR = Variance(0.015**2, 12)
"""Of what the runs of a build or a day have in common, where only runs of one build and day were
repeated: if days differ by 1.5 %, at least 95 % of the intervals hold the truth (simulated.py)."""

FEWEST_DEGREES = 4
"""What rests on less is joined with the prior."""

FEWEST_NEIGHBOURS = 4
"""Differences of neighbours on a line, of five releases, of which the largest can be left out."""

BUILD_LEVEL = 0.1
"""Builds have levels of their own where their neighbours differ so much by so little chance. A
level that is missed makes false changes of most steps; one that is not there costs little power."""

BUILD_LEVEL_OF_FEW = 0.01
"""The same of fewer than five releases, where changes of a few steps look like levels as well."""

LARGEST_BUILD_LEVEL = Variance(0.02**2, 12)
"""Of a level that a build has by chance: layout of the code and place on the disk make 1 to 2 %.
Releases that differ more on both sides have changed, as old and new point releases in turn do."""

FEWEST_LINES = 8
"""Lines of a variant whose differences between two releases have a centre."""


def noise_model(
    summaries: Mapping[CellKey, Summary], report: Report, days: Mapping[str, str]
) -> NoiseModel:
    """Return the noise model of a metric.

    Args:
        summaries: of the metric, by cell; cells with a value that is not above 0 are left out.
        report: for the order of its releases, and what it declares to be equal.
        days: on which day each run started, by run id, where that is known.
    """
    positive = {cell: each for cell, each in summaries.items() if each.low > 0}
    days = with_processes(days, positive.values())
    is_day_a_value = days_matter(positive.values(), days)
    lines: dict[StepKey, dict[str, Sequence[float]]] = {}
    for cell, summary in positive.items():
        values = list(map(log, independent(summary, days if is_day_a_value else {})))
        lines.setdefault((cell.variant, cell.step), {})[cell.release] = values
    repeats = {line: _of_repeats(cells) for line, cells in lines.items()}
    run = _known(repeats)
    equal = _of_equal_builds(lines, run, report)
    prior = _prior(report)
    measured = {release for cells in lines.values() for release in cells}
    order = [each.id for each in report.of_default_branch if each.id in measured]
    pairs = {line: _neighbours(cells, order) for line, cells in lines.items()}
    of_series = {line: _of_series(found) for line, found in pairs.items()}
    series = _known(of_series)
    around = {} if series else _around_centres(lines, order)
    squares = [each for found in around.values() for each in found]
    few = _of_few_releases(squares) if squares else None
    of_few = _of_steps(squares) if squares else None
    if series:
        have_levels, level = _exceed(of_series, repeats, run), LARGEST_BUILD_LEVEL
    else:
        have_levels, level = _few_exceed(around, repeats, run), LEVEL_PRIOR
    alike: dict[StepKey, Noise] = {}
    apart: dict[StepKey, Noise] = {}
    for line in lines:
        near = _by_neighbours(series[line], prior) if series else few
        noise = equal.get(line) or _chosen(run.get(line), near, prior)
        apart[line] = _with_levels(noise, series.get(line), pairs[line])
        of_levels = _with_levels(noise, series.get(line) or of_few, pairs[line])
        alike[line] = _bounded(of_levels, level) if have_levels else noise
    return NoiseModel(alike, apart, days, is_day_a_value)


@dataclass(frozen=True)
class _Pair:
    """Two cells that should be equal."""

    difference: float
    """Of the means of logarithms."""
    runs: float
    """1/m + 1/n."""
    source: NoiseSource


def _prior(report: Report) -> Noise:
    """Return the noise of a line of which nothing is known."""
    if report.matter.prior is None:
        return Noise((NoiseSource.PRIOR,), PRIOR)
    return Noise((NoiseSource.DECLARED,), Variance(report.matter.prior**2, PRIOR.degrees))


def _chosen(run: Variance | None, near: Noise | None, prior: Noise) -> Noise:
    """Choose among what is known of a line without equal builds: repeats, if they are enough."""
    if run is not None and run.degrees >= FEWEST_DEGREES:
        return Noise((NoiseSource.REPEATS,), run)
    if near is not None:
        return near
    if run is not None:
        return Noise((NoiseSource.REPEATS, *prior.sources), _joined(run, prior.run))
    return prior


def _with_levels(noise: Noise, series: Variance | None, pairs: Sequence[_Pair]) -> Noise:
    """Return noise with the levels of builds and days, which repeats do not show."""
    if NoiseSource.REPEATS not in noise.sources:
        return noise
    sources = dict.fromkeys(noise.sources)
    if series is None or not pairs:
        sources |= {NoiseSource.PRIOR: None}
        runs, between = 0.0, added((2, LEVEL_PRIOR))
    else:
        sources |= {NoiseSource.NEIGHBOURS: None}
        runs = fmean(pair.runs for pair in pairs)
        between = Variance(series.value * runs, series.degrees)
        if series.degrees < FEWEST_DEGREES:
            sources |= {NoiseSource.PRIOR: None}
            between = _joined(between, added((2, LEVEL_PRIOR), (runs, noise.run)))
    return Noise(tuple(sources), noise.run, between, runs)


def _bounded(noise: Noise, level: Variance) -> Noise:
    """Return the noise of builds measured on one day, whose levels are not larger than known."""
    if NoiseSource.REPEATS not in noise.sources or noise.equal is None:
        return noise
    most = added((2, level), (noise.equal_runs, noise.run))
    if noise.equal.value <= most.value:
        return noise
    sources = dict.fromkeys((*noise.sources, NoiseSource.PRIOR))
    return replace(noise, sources=tuple(sources), equal=most)


def _exceed(
    of_series: Mapping[StepKey, Variance | None],
    repeats: Mapping[StepKey, Variance | None],
    run: Mapping[StepKey, Variance],
) -> bool:
    """Return whether neighbours differ by more than their runs explain: an F test of all lines."""
    compared = [
        (neighbours, Variance(run[line].value, own.degrees))
        for line, own in repeats.items()
        if own and own.degrees and (neighbours := of_series[line])
    ]
    ratio = pooled(Variance(one.value / own.value, one.degrees) for one, own in compared)
    degrees = fsum(own.degrees for _, own in compared)
    return ratio is not None and float(fdtrc(ratio.degrees, degrees, ratio.value)) < BUILD_LEVEL


def _few_exceed(
    around: Mapping[StepKey, Sequence[float]],
    repeats: Mapping[StepKey, Variance | None],
    run: Mapping[StepKey, Variance],
) -> bool:
    """Return the same of few releases, from the smaller of the squares around their centres."""
    compared = [line for line in around if (own := repeats[line]) and own.degrees]
    squares = [each / run[line].value for line in compared for each in around[line]]
    if not squares:
        return False
    ratio, degrees = trimmed(squares), fsum(own.degrees for own in repeats.values() if own)
    return float(fdtrc(ratio.degrees, degrees, ratio.value)) < BUILD_LEVEL_OF_FEW


def _joined(found: Variance, prior: Variance) -> Variance:
    return pooled((found, prior)) or prior


def _known(found: Mapping[StepKey, Variance | None]) -> Mapping[StepKey, Variance]:
    """Return the variances of lines, moderated; lines without one take the common one."""
    own = {line: each for line, each in found.items() if each is not None}
    common, known = moderated(own)
    common = common or pooled(known.values())
    return {line: known.get(line, common) for line in found} if common else {}


def _of_repeats(cells: Cells) -> Variance | None:
    return pooled(map(of_values, cells.values()))


def _of_equal_builds(
    lines: Mapping[StepKey, Cells], run: Mapping[StepKey, Variance], report: Report
) -> Mapping[StepKey, Noise]:
    """Return the noise of all lines where the report declares what is equal; else nothing."""
    pairs = {line: list(_equal_pairs(line, lines, report)) for line in lines}
    every = [pair for found in pairs.values() for pair in found]
    if not every:
        return {}
    runs, prior = fmean(pair.runs for pair in every), _prior(report)
    known = _known({line: _of_pairs(found) for line, found in pairs.items()})
    sources = tuple(source for source in NoiseSource if source in {pair.source for pair in every})
    found: dict[StepKey, Noise] = {}
    for line in lines:
        whole, one_run, of_line = known[line], run.get(line), sources
        if whole.degrees < FEWEST_DEGREES:
            whole = _joined(whole, added((2, COMMON_PRIOR), (runs, one_run or prior.run)))
            of_line = (*sources, *prior.sources)
        one_run = one_run or Variance(whole.value / runs, whole.degrees)
        found[line] = Noise(of_line, one_run, whole, runs)
    return found


def _of_pairs(pairs: Sequence[_Pair]) -> Variance | None:
    return Variance(fmean(each.difference**2 for each in pairs), len(pairs)) if pairs else None


def _equal_pairs(line: StepKey, lines: Mapping[StepKey, Cells], report: Report) -> Iterator[_Pair]:
    """Yield neighbours among equal cells: of n alike, n - 1 differences are independent."""
    variant, step = line
    for group in report.matter.same_code:
        own = [cells[release] for cells in (lines[line],) for release in group if release in cells]
        yield from (_pair(one, other, NoiseSource.SAME_CODE) for one, other in pairwise(own))
    for group in report.twin_variants:
        if variant in group:
            for release in lines[line]:
                cells = [lines.get((twin, step), {}) for twin in group]
                own = [each[release] for each in cells if release in each]
                yield from (_pair(one, other, NoiseSource.TWINS) for one, other in pairwise(own))


def _pair(one: Sequence[float], other: Sequence[float], source: NoiseSource) -> _Pair:
    return _Pair(fmean(one) - fmean(other), 1 / len(one) + 1 / len(other), source)


def _of_series(pairs: Sequence[_Pair]) -> Variance | None:
    """Return what neighbours show of the noise of a run, build and day included."""
    if len(pairs) < FEWEST_NEIGHBOURS:
        return None
    return of_neighbours([pair.difference / sqrt(pair.runs) for pair in pairs])


def _by_neighbours(known: Variance, prior: Noise) -> Noise:
    if known.degrees >= FEWEST_DEGREES:
        return Noise((NoiseSource.NEIGHBOURS,), known)
    return Noise((NoiseSource.NEIGHBOURS, *prior.sources), _joined(known, prior.run))


def _neighbours(cells: Cells, order: Sequence[str]) -> list[_Pair]:
    own = [cells[release] for release in order if release in cells]
    return [_pair(after, before, NoiseSource.NEIGHBOURS) for before, after in pairwise(own)]


def _around_centres(
    lines: Mapping[StepKey, Cells], order: Sequence[str]
) -> dict[StepKey, list[float]]:
    """Return the squares of how far lines differ from their variant, between neighbours, by run.

    Between two releases every line may have changed, so that only their centre is known not to be
    noise of a line.
    """
    squares: dict[StepKey, list[float]] = {}
    for variant in dict.fromkeys(variant for variant, _ in lines):
        own = {line: cells for line, cells in lines.items() if line[0] == variant}
        for before, after in pairwise(order):
            pairs = {
                line: _pair(cells[after], cells[before], NoiseSource.NEIGHBOURS)
                for line, cells in own.items()
                if before in cells and after in cells
            }
            if len(pairs) >= FEWEST_LINES:
                centre = median(each.difference for each in pairs.values())
                for line, each in pairs.items():
                    squares.setdefault(line, []).append((each.difference - centre) ** 2 / each.runs)
    return squares


def _of_steps(squares: Sequence[float]) -> Variance:
    """Return what all lines show together of few releases, but for those that changed.

    With fewer degrees it would be joined with the prior, which is its bound already.
    """
    found = clipped(squares)
    return replace(found, degrees=max(FEWEST_DEGREES, found.degrees))


def _of_few_releases(squares: Sequence[float]) -> Noise:
    """Return what all lines show together of few releases.

    The prior stands in for what all lines of a build or day have in common. Lines and variants
    differ in their noise, and the degrees say by how much.
    """
    spread, _ = moderated(dict(enumerate(Variance(square, 1) for square in squares)))
    assert spread is not None, "there are as many as it needs"
    around = Variance(trimmed(squares).value, max(PRIOR.degrees, spread.degrees))
    run = added((1, around), (1, COMMON_PRIOR))
    return Noise((NoiseSource.NEIGHBOURS, NoiseSource.PRIOR), run)
