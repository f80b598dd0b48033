"""What a bundle says, on one screen: for the person who is about to publish it."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING

from msgspec.structs import replace

from perfpress.analysis.bundle_summary.captures import captures_by_step
from perfpress.analysis.bundle_summary.earlier_runs import EarlierRuns, LastRelease
from perfpress.analysis.study.measured import Measurement, measurements, read_logs
from perfpress.base.display import byte_size, number, percent_change, plural, plural_of
from perfpress.base.problems import Problem
from perfpress.input.bundles.read import Bundle
from perfpress.input.bundles.safety import shown_name
from perfpress.input.bundles.schema import Step

if TYPE_CHECKING:
    from perfpress.analysis.verdicts.verdicts import Verdict

MOST_STEPS = 40
"""Steps that fit on a screen."""

WIDEST = 60
"""Characters of a column that the next one is aligned behind."""

MOST_NAMES = 6
"""Steps that a remark names."""


def summary(bundle: Bundle, results: Path) -> tuple[list[str], list[Problem]]:
    """Return the lines to print, and what is wrong with the logs and captures.

    Args:
        bundle: may be in any directory.
        results: the accepted bundles, which this one is compared with.
    """
    captures, problems = captures_by_step(bundle)
    earlier = EarlierRuns(bundle, results)
    verdicts = earlier.verdicts()
    last = {step.name: earlier.last(step.name) for step in bundle.steps}
    labels = {each.label for each in last.values() if each}
    against = f"against {next(iter(labels))}" if len(labels) == 1 else "against"
    heads = ("step", "rate", against, "verdict", "p95", "average", "failed", "captures")
    rows: list[tuple[str, ...]] = [heads]
    found: dict[Problem, None] = {}
    for step, readings in zip(bundle.steps, read_logs(bundle, bundle.steps), strict=True):
        # A problem of a log that several steps read is one.
        found |= dict.fromkeys(problem for each in readings for problem in each.problems)
        metrics = measurements(step, readings)
        rows.append(
            (
                step.name,
                _rate(metrics.get("throughput"), step),
                _change(step, metrics.get("throughput"), last[step.name], len(labels) > 1),
                _verdict(step, verdicts.get(step.name)),
                _shown(metrics.get("latency_p95")),
                _shown(metrics.get("latency_average")),
                _shown(metrics.get("failed_operations"), with_unit=False),
                captures.get(step.name, "–"),
            )
        )
    # The rest of the bundle is published all the same.
    problems += [replace(problem, severity="warning") for problem in found]
    lines = [*_facts(bundle), "", *_aligned(rows[: MOST_STEPS + 1])]
    if len(rows) > MOST_STEPS + 1:
        lines.append(f"  and {plural(len(rows) - MOST_STEPS - 1, 'step')} more")
    remarks = list(_remarks(bundle, earlier, verdicts))
    return [*lines, *([""] if remarks else []), *remarks], problems


def _facts(bundle: Bundle) -> Iterator[str]:
    run = bundle.run
    size = byte_size(sum(file.size for file in bundle.files))
    yield f"{run.report} > {run.release} > {bundle.variant.label} > {bundle.run_id}"
    started = f", started {run.started.astimezone(UTC):%Y-%m-%d %H:%M} UTC" if run.started else ""
    yield f"{run.benchmark}{started}; {plural(len(bundle.files), 'file')}, {size}"
    if run.replaces:
        yield f"replaces {run.replaces}"
    if run.attachments:
        yield f"attachments: {', '.join(map(shown_name, run.attachments))}"


def _remarks(
    bundle: Bundle, earlier: EarlierRuns, verdicts: "Mapping[str, Verdict]"
) -> Iterator[str]:
    """Yield why, what is missing, and what to do next."""
    for step in bundle.steps:
        if step.ended:
            word = "failed" if step.ended.how == "failed" else "was cut short"
            yield f"{step.name} {word}, and nothing of it counts: {step.ended.reason}"
    for step in bundle.steps[:MOST_STEPS]:
        verdict = verdicts.get(step.name)
        if verdict and not _outside(step) and verdict.state.is_change:
            yield f"{step.name}: {verdict.state}: {verdict.why}"
    label, unmeasured = earlier.unmeasured()
    if unmeasured:
        yield f"not in this run, but in {label}: {_names(unmeasured)}"
    measured = [step.name for step in bundle.steps if not _outside(step)]
    repeats = max(map(earlier.repeats, measured), default=0)
    if repeats:
        yield f"repeats: {plural(repeats, 'run')} of this release before; verdicts use all of them"
    if measured and not any(map(earlier.last, measured)):
        yield "nothing to compare with: no earlier release of this report and variant"
    if any(map(earlier.last, measured)) and not verdicts:
        yield "no verdicts here: they need all of Perfpress (uv sync --extra site)"
    if not earlier.is_accepted:
        place = shown_name(str(bundle.directory))
        yield f"next: perfpress add {place}, or from a lab host: perfpress push {place}"


def _names(steps: Sequence[str]) -> str:
    more = f" and {len(steps) - MOST_NAMES} more" if len(steps) > MOST_NAMES else ""
    return ", ".join(steps[:MOST_NAMES]) + more


def _outside(step: Step) -> str:
    """Return why the rate of a step is not compared; empty where it is."""
    if step.ended:
        return "failed" if step.ended.how == "failed" else "cut short"
    return "profiling run" if step.capture.separate_run else ""


def _shown(measurement: Measurement | None, with_unit: bool = True) -> str:
    if measurement is None:
        return "–"
    unit = f" {measurement.unit}" if with_unit else ""
    return f"{number(measurement.value)}{unit}"


def _rate(rate: Measurement | None, step: Step) -> str:
    """Return throughput in what the step counts, as the pages do: selects/s."""
    return "–" if rate is None else f"{number(rate.value)} {plural_of(step.operation)}/s"


def _change(
    step: Step, rate: Measurement | None, last: LastRelease | None, with_label: bool
) -> str:
    if rate is None or last is None or _outside(step) or not (middle := median(last.rates)):
        return "–"
    of = f"median of {len(last.rates)}" if len(last.rates) > 1 else "one run"
    label = f"{last.label}, " if with_label else ""
    return f"{percent_change(rate.value / middle)} ({label}{of})"


def _verdict(step: Step, verdict: "Verdict | None") -> str:
    if _outside(step) or verdict is None:
        return _outside(step) or "–"
    return verdict.words


def _aligned(rows: Sequence[Sequence[str]]) -> Iterator[str]:
    """Yield the rows as lines: columns apart by two spaces, empty columns left out."""
    columns = [column for column in zip(*rows, strict=True) if set(column[1:]) != {"–"}]
    widths = [min(WIDEST, max(map(len, column))) for column in columns]
    for cells in zip(*columns, strict=True):
        padded = (cell.ljust(width) for cell, width in zip(cells, widths, strict=True))
        yield "  ".join(padded).rstrip()
