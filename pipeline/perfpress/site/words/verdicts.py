"""Single verdicts as text: for links, captions and sentences."""

from perfpress.analysis.study.profiles import CellKey
from perfpress.analysis.study.study import Study
from perfpress.analysis.verdicts.states import State
from perfpress.analysis.verdicts.verdicts import Verdict
from perfpress.base.display import PERCENT, fixed, number, plural, plural_of, short_name
from perfpress.site.report_figures import Figures
from perfpress.site.words.measured import RATIO_DECIMALS, variant_has_rates, why_missing
from perfpress.site.words.verdict_sentences import brief_counts


def cell_words(figures: Figures, cell: CellKey) -> str:
    """Return `update on 18: faster than 12, ×1.602 (95 % interval 1.541 to 1.823)`.

    It is against the base, else against the release before; of the base itself it is its rate.
    """
    study = figures.study
    previous = study.report.previous(cell.release)
    bases = (study.report.base, previous.id if previous else None)
    verdicts = (figures.verdicts.get((cell, base)) for base in bases if base)
    verdict = next((each for each in verdicts if each and each.state is not State.MISSING), None)
    words = verdict_words(study, verdict) if verdict else rate_words(figures, cell)
    return f"{short_name(cell.step)} on {short_name(study.label(cell.release))}: {words}"


def pair_sentences(figures: Figures, cell: CellKey, base: str) -> str:
    """Return `what changed in update from 12 to 18. Throughput: faster than 12, ×1.602 (…)`."""
    study = figures.study
    step, *labels = map(short_name, (cell.step, study.label(base), study.label(cell.release)))
    changed = f"what changed in {step} from {labels[0]} to {labels[1]}"
    verdict = figures.verdicts.get((cell, base))
    if verdict is None or verdict.state is State.MISSING:
        return changed
    return f"{changed}. Throughput: {verdict_words(study, verdict)}"


def verdict_words(study: Study, verdict: Verdict) -> str:
    """Return `faster than 12, ×1.602 (95 % interval 1.541 to 1.823)`."""
    words = short_words(study, verdict)
    if verdict.comparison is not None:
        words += f" ({interval_words(verdict)})"
    if verdict.state.row.has_limit and verdict.within is not None:
        words += f", within ±{100 * verdict.within:.2g}{PERCENT}"
    return f"{words}, accepted" if verdict.accepted else words


def short_words(study: Study, verdict: Verdict) -> str:
    """Return `faster than 12, ×1.602`, or `slower than 12 since 14, ×0.602`."""
    words = verdict.state.row.against.format(base=short_name(study.label(verdict.base)))
    compared = verdict.comparison
    words += since_words(study, verdict)
    return f"{words}, ×{fixed(compared.ratio, RATIO_DECIMALS)}" if compared else words


def since_words(study: Study, verdict: Verdict) -> str:
    """Return ` since 10.5.29` where a level change lies between the two; else nothing."""
    if verdict.since is None or not verdict.state.is_change:
        return ""
    return f" since {short_name(study.label(verdict.since.release))}"


def interval_words(verdict: Verdict) -> str:
    """Return `95 % interval 1.541 to 1.823`, or what the verdict rests on instead."""
    if verdict.interval is None:
        return f"by {verdict.evidence}" if verdict.evidence else verdict.why
    low, high = (
        fixed(end, RATIO_DECIMALS) for end in (verdict.interval.low, verdict.interval.high)
    )
    return f"95{PERCENT} interval {low} to {high}"


def rate_words(figures: Figures, cell: CellKey) -> str:
    """Return `40,525 selects per second, median of 6 runs`, or why there is no rate."""
    study = figures.study
    summary = figures.summaries["throughput"].get(cell)
    if summary is None:
        return f"no rate, {why_missing(study, cell)}"
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
    if verdicts and variant_has_rates(figures, variant):
        counts = brief_counts(figures, release, variant, base)
        return f"{plural(len(verdicts), 'step')} against {short_name(study.label(base))}: {counts}"
    measured = len(study.steps_with(release, variant))
    is_base = "; others are compared with it" if release == base else ""
    return f"{plural(measured, 'step')} measured{is_base}"
