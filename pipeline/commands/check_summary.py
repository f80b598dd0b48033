"""What a bundle says, on one screen: for the person who is about to publish it."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from statistics import median
from typing import NamedTuple

from msgspec.structs import replace

from pipeline.bundle.discover import discover_report
from pipeline.bundle.read import Bundle
from pipeline.bundle.safety import shown_name
from pipeline.bundle.schema import Step
from pipeline.commands.check_captures import captures_by_step
from pipeline.corrections.corrected import CorrectedRun, apply_corrections
from pipeline.corrections.files import read_corrections
from pipeline.display import byte_size, number, percent_change, plural, plural_of
from pipeline.problems import Problem
from pipeline.report.report import read_reports
from pipeline.slug import slug
from pipeline.study.measured import Measurement, measurements, read_logs

MOST_STEPS = 40
"""Steps that fit on a screen."""

HEADS = ("step", "rate", "change", "p95", "average", "failed", "captures")


class LastRelease(NamedTuple):
    """What the release before measured, for one step."""

    label: str
    rates: tuple[float, ...]


def summary(bundle: Bundle, results: Path) -> tuple[list[str], list[Problem]]:
    """Return the lines to print, and what is wrong with the logs and captures.

    Args:
        bundle: may stand anywhere.
        results: the accepted bundles, which this one is compared with.
    """
    captures, problems = captures_by_step(bundle)
    rows: list[tuple[str, ...]] = [HEADS]
    earlier = _EarlierRuns(bundle, results)
    found: dict[Problem, None] = {}
    for step, readings in zip(bundle.steps, read_logs(bundle, bundle.steps), strict=True):
        # A problem of a log that several steps read is one.
        found |= dict.fromkeys(problem for each in readings for problem in each.problems)
        metrics = measurements(step, readings)
        captured = captures.get(step.name, "–")
        rows.append(_row(step, metrics, earlier.last(step), captured))
    # The rest of the bundle is published all the same.
    problems += [replace(problem, severity="warning") for problem in found]
    lines = [*_facts(bundle), "", *_aligned(rows[: MOST_STEPS + 1])]
    if len(rows) > MOST_STEPS + 1:
        lines.append(f"  and {plural(len(rows) - MOST_STEPS - 1, 'step')} more")
    return lines, problems


class _EarlierRuns:
    """The accepted runs of the same report and variant."""

    def __init__(self, bundle: Bundle, results: Path) -> None:
        accepted, _ = discover_report(results, results.name, slug(bundle.run.report))
        corrections, _ = read_corrections(results.parent / "corrections", "corrections")
        runs, _ = apply_corrections(accepted, corrections)
        content = results.parent.parent / "content"
        all_runs = [*runs, CorrectedRun(bundle)]
        report = read_reports(content, "content", all_runs)[0][slug(bundle.run.report)]
        order = [release.id for release in report.releases]
        before = order[: order.index(bundle.run.release)]
        self.labels = [(release, report.release(release).label or release) for release in before]
        self.runs = [run for run in runs if run.bundle.variant.slug == bundle.variant.slug]

    def last(self, step: Step) -> LastRelease | None:
        """Return the nearest release before this one that measured the step."""
        for release, label in reversed(self.labels):
            rates = tuple(
                rate
                for run in self.runs
                if run.bundle.run.release == release
                for rate in _rates(run, step.name)
            )
            if rates:
                return LastRelease(label, rates)
        return None


def _rates(run: CorrectedRun, name: str) -> Iterator[float]:
    for step in run.steps:
        if step.name == name and not step.capture.separate_run:
            (readings,) = read_logs(run.bundle, [step])
            metrics = measurements(step, readings)
            if "throughput" in metrics:
                yield metrics["throughput"].value


def _facts(bundle: Bundle) -> Iterator[str]:
    run = bundle.run
    size = byte_size(sum(file.size for file in bundle.files))
    yield f"{run.report} > {run.release} > {bundle.variant.label} > {bundle.run_id}"
    started = f", started {run.started.isoformat(sep=' ')}" if run.started else ""
    yield f"{run.benchmark}{started}; {plural(len(bundle.files), 'file')}, {size}"
    if run.replaces:
        yield f"replaces {run.replaces}"
    if run.attachments:
        yield f"attachments: {', '.join(map(shown_name, run.attachments))}"


def _row(
    step: Step, metrics: Mapping[str, Measurement], last: LastRelease | None, captured: str
) -> tuple[str, ...]:
    rate = metrics.get("throughput")
    return (
        step.name,
        _rate(rate, step),
        _against(step, rate, last),
        _shown(metrics.get("latency_p95")),
        _shown(metrics.get("latency_average")),
        _shown(metrics.get("failed_operations"), with_unit=False),
        captured,
    )


def _shown(measurement: Measurement | None, with_unit: bool = True) -> str:
    if measurement is None:
        return "–"
    unit = f" {measurement.unit}" if with_unit else ""
    return f"{number(measurement.value)}{unit}"


def _rate(rate: Measurement | None, step: Step) -> str:
    """Return throughput in what the step counts, as the pages do: selects/s."""
    return "–" if rate is None else f"{number(rate.value)} {plural_of(step.operation)}/s"


def _against(step: Step, rate: Measurement | None, last: LastRelease | None) -> str:
    if step.capture.separate_run:
        return "profiling run"
    if rate is None or last is None:
        return "–"
    middle = median(last.rates)
    if not middle:
        return "–"
    of = f"median of {len(last.rates)}" if len(last.rates) > 1 else "one run"
    return f"{percent_change(rate.value / middle)} against {last.label} ({of})"


def _aligned(rows: Sequence[Sequence[str]]) -> Iterator[str]:
    """Yield the rows as lines: columns apart by two spaces, empty columns left out."""
    columns = [column for column in zip(*rows, strict=True) if set(column[1:]) != {"–"}]
    widths = [min(40, max(map(len, column))) for column in columns]
    for cells in zip(*columns, strict=True):
        padded = (cell.ljust(width) for cell, width in zip(cells, widths, strict=True))
        yield "  ".join(padded).rstrip()
