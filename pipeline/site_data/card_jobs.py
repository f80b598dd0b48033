"""The jobs that draw tables of verdicts as cards: of releases, variants, reports and the site."""

from collections.abc import Mapping, Sequence
from math import log
from typing import Any

from pipeline.analysis.verdicts import Verdict
from pipeline.display import NO_VALUE, PERCENT, fixed, number, plural_of, short_name
from pipeline.node.jobs import Job, Output
from pipeline.site_data.addresses import release_address, report_address, variant_address
from pipeline.site_data.feeds import Identity
from pipeline.site_data.figures import Figures
from pipeline.site_data.rate_cells import RATIO_DECIMALS
from pipeline.site_data.shapes import Table
from pipeline.site_data.site_shapes import ListedReport
from pipeline.site_data.verdict_cells import MARKS, TONES
from pipeline.site_data.verdict_words import release_verdicts, release_words
from pipeline.study.profiles import CellKey
from pipeline.study.study import Study

FILE = "card.png"

COUNTS = (
    ("Faster", "better", ("faster",)),
    ("Slower", "worse", ("slower", "failed")),
    ("In one run", "unknown", ("faster, one run", "slower, one run")),
    ("No change seen", "", ("no change seen",)),
    ("Unknown", "unknown", ("noisy", "cannot tell", "missing")),
)
"""The columns of a report's card: head, tone, and the verdicts that they count."""


def card_jobs(figures: Figures) -> dict[str, Job]:
    """Return the cards of releases, variants and of the report, by the address of their page."""
    study = figures.study
    report = study.report
    jobs = {}
    variants = _variants_of_releases(study)
    for release in variants:
        request = _release_card(figures, release, _told_variant(study, variants[release]))
        jobs[release_address(report, release)] = _job(study.label(release), request)
    for variant, name in report.variants.items():
        releases = [each for each in variants if variant in variants[each]]
        request = _releases_card(figures, releases, variant, f"All steps on {name}", report.title)
        jobs[variant_address(report, variant)] = _job(name, request)
    default = report.default_variant
    releases = [each for each in variants if default in variants[each]]
    request = _releases_card(figures, releases, default, report.title, report.variants[default])
    return {**jobs, report_address(report): _job(report.title, request)}


def site_card_job(
    identity: Identity, changes: Table | None, reports: Sequence[ListedReport]
) -> Job:
    """Return the card of the site: what changed lately, or else its reports."""
    if changes is None:
        rows = [{"label": each.title, "cells": [{"text": each.summary}]} for each in reports]
        head, columns, left = "Report", [("", False)], ("report", "reports")
        line = "No release is seen to be slower or faster than the one before."
    else:
        rows = [
            {
                "label": row.label,
                "cells": [
                    {"text": f"{cell.mark} {cell.text}".strip(), "tone": cell.tone}
                    for cell in row.cells[:4]
                ],
            }
            for row in changes.rows
        ]
        head, left = "Step", ("step", "steps")
        columns = [(column.label, column.key == "change") for column in changes.columns[:4]]
        line = "What changed lately"
    about = identity.base_url.partition("://")[2].strip("/")
    request = _request(identity.title, about, line, head, columns, rows, left)
    return _job(identity.title, request)


def _variants_of_releases(study: Study) -> dict[str, set[str]]:
    """Return what each release was measured on, in the report's order of releases."""
    found = {release.id: set[str]() for release in study.report.releases}
    for each in study.step_runs:
        found[each.cell.release].add(each.cell.variant)
    return {release: variants for release, variants in found.items() if variants}


def _told_variant(study: Study, variants: set[str]) -> str:
    default = study.report.default_variant
    if default in variants:
        return default
    return next(each for each in study.report.variants if each in variants)


def _release_card(figures: Figures, release: str, variant: str) -> dict[str, Any]:
    """Return the verdicts on all steps, largest changes first; of the base, its rates."""
    study = figures.study
    report = study.report
    verdicts = release_verdicts(figures, release, variant)
    if verdicts:
        columns = [("Ratio", True), (f"95{PERCENT} interval", True), ("Verdict", False)]
        rows = [_verdict_row(each) for each in sorted(verdicts, key=_largest_first)]
    else:
        columns = [("Median", True), ("", False), ("Runs", True)]
        rows = _rate_rows(figures, release, variant)
    return _request(
        study.label(release),
        f"{report.title} · {report.variants[variant]}",
        release_words(figures, release, variant),
        "Step",
        columns,
        rows,
        ("step", "steps"),
    )


def _largest_first(verdict: Verdict) -> tuple[bool, float]:
    ratio = verdict.comparison.ratio if verdict.comparison else 1.0
    return not verdict.is_confirmed, -abs(log(ratio)) if verdict.is_confirmed else 0.0


def _verdict_row(verdict: Verdict) -> dict[str, Any]:
    compared = verdict.comparison
    interval = compared.interval if compared else None
    tone = TONES[verdict.state]
    words = str(verdict.state)
    if words == "no change seen" and verdict.could_miss is not None:
        words = f"{words} (±{100 * verdict.could_miss:.2g}{PERCENT})"
    if verdict.accepted:
        words = f"{words}, accepted"
    between = (
        f"{fixed(interval.low, RATIO_DECIMALS)} to {fixed(interval.high, RATIO_DECIMALS)}"
        if interval
        else NO_VALUE
    )
    ratio = f"×{fixed(compared.ratio, RATIO_DECIMALS)}" if compared else NO_VALUE
    return {
        "label": verdict.cell.step,
        "cells": [
            {"text": ratio, "tone": tone},
            {"text": between},
            {"text": f"{MARKS[verdict.state]} {words}".strip(), "tone": tone},
        ],
    }


def _rate_rows(figures: Figures, release: str, variant: str) -> list[dict[str, Any]]:
    study = figures.study
    rows = []
    for step in study.steps_with(release, variant):
        summary = figures.summaries["throughput"].get(CellKey(release, variant, step))
        cells = [
            number(summary.median) if summary else NO_VALUE,
            f"{plural_of(study.operation(step))}/s" if summary else "",
            str(len(summary.values)) if summary else "0",
        ]
        rows.append({"label": step, "cells": [{"text": text} for text in cells]})
    return rows


def _releases_card(
    figures: Figures, releases: Sequence[str], variant: str, title: str, about: str
) -> dict[str, Any]:
    """Return how many steps are faster and slower than the base, newest release first."""
    rows = [_counts_row(figures, release, variant) for release in reversed(releases)]
    newest = releases[-1] if releases else figures.study.report.base
    line = f"{figures.study.label(newest)}: {release_words(figures, newest, variant)}"
    columns = [(label, True) for label, _, _ in COUNTS]
    return _request(title, about, line, "Release", columns, rows, ("release", "releases"))


def _counts_row(figures: Figures, release: str, variant: str) -> dict[str, Any]:
    study = figures.study
    verdicts = release_verdicts(figures, release, variant)
    cells = []
    for _, tone, states in COUNTS:
        count = sum(each.state in states for each in verdicts)
        cells.append({"text": str(count) if verdicts else NO_VALUE, "tone": tone if count else ""})
    is_base = release == study.report.base
    label = study.label(release)
    return {"label": f"{label} (base)" if is_base else label, "cells": cells}


def _request(
    title: str,
    about: str,
    line: str,
    row_head: str,
    columns: Sequence[tuple[str, bool]],
    rows: Sequence[Mapping[str, Any]],
    left: tuple[str, str],
) -> dict[str, Any]:
    return {
        "title": title,
        "about": about,
        "line": line,
        "row_head": row_head,
        "columns": [{"label": label, "numeric": numeric} for label, numeric in columns],
        "rows": rows,
        "rows_left": left[0],
        "rows_left_many": left[1],
        "out": Output(FILE),
    }


def _job(about: str, request: Mapping[str, Any]) -> Job:
    return Job("table-card", short_name(about), request)
