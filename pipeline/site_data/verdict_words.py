"""Verdicts in words, for where there is no table: under a link, beside a picture, in a sentence."""

from pipeline.analysis.throughput import Comparison
from pipeline.analysis.verdicts import State, Verdict
from pipeline.display import PERCENT, fixed, number, plural, plural_of, short_name
from pipeline.site_data.figures import Figures
from pipeline.site_data.profile_cells import variant_tells_rates
from pipeline.site_data.rate_cells import RATIO_DECIMALS, missing_cell
from pipeline.site_data.verdict_sentences import brief_counts
from pipeline.study.profiles import CellKey
from pipeline.study.study import Study

AGAINST: dict[State, str] = {
    "slower": "slower than {base}",
    "faster": "faster than {base}",
    "slower, one run": "slower than {base} in one run",
    "faster, one run": "faster than {base} in one run",
    "no change seen": "no change seen against {base}",
    "noisy": "too noisy to compare with {base}",
    "cannot tell": "cannot tell whether slower or faster than {base}",
    "missing": "missing, to compare with {base}",
    "failed": "failed, to compare with {base}",
}
"""What is judged, with the release that it is judged against."""


def cell_words(figures: Figures, cell: CellKey) -> str:
    """Return `update on 18: faster than 12, ×1.602 (95 % interval 1.541 to 1.823)`.

    It is against the base, else against the release before; of the base itself it is its rate.
    """
    study = figures.study
    previous = study.report.previous(cell.release)
    bases = (study.report.base, previous.id if previous else None)
    verdicts = (figures.verdicts.get((cell, base)) for base in bases if base)
    verdict = next((each for each in verdicts if each and each.state != "missing"), None)
    words = verdict_words(study, verdict) if verdict else rate_words(figures, cell)
    return f"{short_name(cell.step)} on {short_name(study.label(cell.release))}: {words}"


def pair_sentences(figures: Figures, cell: CellKey, base: str) -> str:
    """Return `what changed in update from 12 to 18. Throughput: faster than 12, ×1.602 (…)`."""
    study = figures.study
    step, *labels = map(short_name, (cell.step, study.label(base), study.label(cell.release)))
    changed = f"what changed in {step} from {labels[0]} to {labels[1]}"
    verdict = figures.verdicts.get((cell, base))
    if verdict is None or verdict.state == "missing":
        return changed
    return f"{changed}. Throughput: {verdict_words(study, verdict)}"


def verdict_words(study: Study, verdict: Verdict) -> str:
    """Return `faster than 12, ×1.602 (95 % interval 1.541 to 1.823)`."""
    words = short_words(study, verdict)
    if verdict.comparison is not None:
        words += f" ({interval_words(verdict.comparison)})"
    if verdict.state == "no change seen" and verdict.could_miss is not None:
        words += f", could miss ±{100 * verdict.could_miss:.2g}{PERCENT}"
    return f"{words}, accepted" if verdict.accepted else words


def short_words(study: Study, verdict: Verdict) -> str:
    """Return `faster than 12, ×1.602`."""
    words = AGAINST[verdict.state].format(base=short_name(study.label(verdict.base)))
    compared = verdict.comparison
    return f"{words}, ×{fixed(compared.ratio, RATIO_DECIMALS)}" if compared else words


def interval_words(compared: Comparison) -> str:
    """Return `95 % interval 1.541 to 1.823`, or what stands in for it with few runs."""
    interval = compared.interval
    if interval is not None:
        return (
            f"95{PERCENT} interval {fixed(interval.low, RATIO_DECIMALS)} to "
            f"{fixed(interval.high, RATIO_DECIMALS)}"
        )
    if compared.count == compared.base_count == 1:
        return "one run of each"
    return (
        f"all pairs of runs {fixed(compared.low, RATIO_DECIMALS)} to "
        f"{fixed(compared.high, RATIO_DECIMALS)}, too few for an interval"
    )


def rate_words(figures: Figures, cell: CellKey) -> str:
    """Return `40,525 selects per second, median of 6 runs`, or why there is no rate."""
    study = figures.study
    summary = figures.summaries["throughput"].get(cell)
    if summary is None:
        return f"no rate, {missing_cell(study, cell).note}"
    runs = len(summary.values)
    spread = "one run" if runs == 1 else f"median of {plural(runs, 'run')}"
    return f"{number(summary.median)} {plural_of(study.operation(cell.step))} per second, {spread}"


def release_verdicts(figures: Figures, release: str, variant: str) -> list[Verdict]:
    """Return the verdicts on a release against the base, in the order of the report's steps."""
    report = figures.study.report
    cells = (CellKey(release, variant, step) for step in report.steps)
    found = (figures.verdicts.get((cell, report.base)) for cell in cells)
    return [verdict for verdict in found if verdict is not None]


def release_words(figures: Figures, release: str, variant: str) -> str:
    """Return `4 steps against PostgreSQL 12: 2 faster, 2 with no change seen`."""
    study = figures.study
    base = study.report.base
    verdicts = release_verdicts(figures, release, variant)
    if verdicts and variant_tells_rates(figures, variant):
        counts = brief_counts(figures, release, variant, base)
        return f"{plural(len(verdicts), 'step')} against {short_name(study.label(base))}: {counts}"
    measured = len(study.steps_with(release, variant))
    is_base = "; others are compared with it" if release == base else ""
    return f"{plural(measured, 'step')} measured{is_base}"
