"""Single verdicts as text: for links, captions and sentences."""

from perfpress.analysis.study.profiles import CellKey
from perfpress.analysis.study.study import Study
from perfpress.analysis.verdicts.verdicts import Verdict
from perfpress.base.display import PERCENT, number, plural, plural_of, ratio_text, short_name
from perfpress.site.report_figures import Figures
from perfpress.site.words.measured import why_missing


def since_words(study: Study, verdict: Verdict) -> str:
    """Return ` since 10.5.29` where a level change lies between the two; else nothing.

    Nothing of the release that the verdict is on, either: it is slower, and not since itself.
    """
    since = verdict.since
    if since is None or not verdict.state.is_change or since.release == verdict.cell.release:
        return ""
    return f" since {short_name(study.label(since.release))}"


def interval_words(verdict: Verdict) -> str:
    """Return `95 % interval 1.541 to 1.823`, or what the verdict rests on instead."""
    if verdict.interval is None:
        return f"by {verdict.evidence}" if verdict.evidence else verdict.why
    low, high = (ratio_text(end) for end in (verdict.interval.low, verdict.interval.high))
    return f"95{PERCENT} interval {low} to {high}"


def rate_words(figures: Figures, cell: CellKey) -> str:
    """Return `40,525 selects per second, median of 6 runs`, or why there is no rate."""
    study = figures.study
    summary = figures.summaries["throughput"].get(cell)
    if summary is None:
        return f"no rate: {why_missing(study, cell)}"
    runs = len(summary.values)
    spread = "one run" if runs == 1 else f"median of {plural(runs, 'run')}"
    return f"{number(summary.median)} {plural_of(study.operation(cell.step))} per second, {spread}"


def release_verdicts(figures: Figures, release: str, variant: str, base: str) -> list[Verdict]:
    """Return the verdicts on a release against another, in the order of the report's steps."""
    cells = (CellKey(release, variant, step) for step in figures.study.report.steps)
    found = (figures.verdicts.get((cell, base)) for cell in cells)
    return [verdict for verdict in found if verdict is not None]
