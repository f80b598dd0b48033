"""What changed lately, for the home page: what several runs show leads, never one run's fluke."""

from collections.abc import Sequence
from math import log

from pipeline.analysis.verdicts import Verdict
from pipeline.display import percent_change
from pipeline.site_data.addresses import release_address, report_address, step_address
from pipeline.site_data.figures import Figures
from pipeline.site_data.shapes import Cell, Column, Row, Table
from pipeline.site_data.verdict_cells import MARKS, MARKS_NOTE, TONES, evidence
from pipeline.slug import slug
from pipeline.study.study import Study

MOST = 12
"""Changes that the home page lists; the pages of releases have all."""


def latest_changes(all_figures: Sequence[Figures]) -> Table | None:
    """Return the changes that the last release of each report brought; None without any."""
    found = [
        (figures.study, verdict) for figures in all_figures for verdict in _of_last_release(figures)
    ]
    found.sort(key=lambda each: (not each[1].is_confirmed, -_size(each[1])))
    if not found:
        return None
    more = len(found) - MOST
    return Table(
        id="latest-changes",
        caption="What the last release of each report changed, against the release before",
        row_head="Step",
        columns=(
            Column(key="change", label="Throughput"),
            Column(key="verdict", label="Verdict", numeric=False),
            Column(key="release", label="Release", numeric=False),
            Column(key="against", label="Against", numeric=False),
            Column(key="report", label="Report", numeric=False),
        ),
        rows=tuple(_row(study, verdict) for study, verdict in found[:MOST]),
        notes=(MARKS_NOTE, *((f"{more} more on the pages of the releases.",) if more > 0 else ())),
    )


def _of_last_release(figures: Figures) -> list[Verdict]:
    """Return the changes of a report's last measured release against the one before it."""
    study = figures.study
    last = next(reversed(study.measured), None)
    previous = study.report.previous(last) if last else None
    return [
        verdict
        for (cell, base), verdict in figures.verdicts.items()
        if cell.release == last
        and previous is not None
        and base == previous.id
        and (verdict.is_confirmed or verdict.is_slower or verdict.state == "faster, one run")
        and not verdict.accepted
    ]


def _size(verdict: Verdict) -> float:
    ratio = verdict.comparison.ratio if verdict.comparison else 1.0
    return abs(log(ratio))


def _row(study: Study, verdict: Verdict) -> Row:
    report, cell = study.report, verdict.cell
    ratio = verdict.comparison.ratio if verdict.comparison else 1.0
    step = cell.step
    if cell.variant != report.default_variant:
        step = f"{step}, {report.variants[cell.variant]}"
    return Row(
        key="-".join((report.id, slug(cell.release), slug(cell.step), cell.variant)),
        label=step,
        url=step_address(report, cell.release, cell.step, cell.variant),
        cells=(
            Cell(text=percent_change(ratio), sort=ratio),
            Cell(
                text=verdict.words,
                tone=TONES[verdict.state],
                mark=MARKS[verdict.state],
                note=evidence(study, verdict),
            ),
            Cell(text=study.label(cell.release), url=release_address(report, cell.release)),
            Cell(text=study.label(verdict.base), url=release_address(report, verdict.base)),
            Cell(text=report.title, url=report_address(report)),
        ),
    )
